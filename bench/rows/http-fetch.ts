import { createMcpHandler } from "@modelcontextprotocol/server";
import { fetchHandler } from "@x/transport-http";
import { answerTo } from "../contenders/bare-server.ts";
import { SLOW } from "../contenders/http-servers.ts";
import { inFlight } from "../contenders/in-flight.ts";
import * as official2 from "../contenders/official-2.ts";
import * as ours from "../contenders/ours.ts";
import { roomCalls } from "../contenders/raw-client.ts";
import { checkRoom, room } from "../contenders/room.ts";
import type { Row, Subject } from "../harness/row.ts";

const url = "http://127.0.0.1:3000/mcp";
const body = roomCalls("stateless")(1);
const headers = {
  host: "127.0.0.1:3000",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": room.name,
};

/** 32 requests at a time, made and read in this process, without a network. */
async function calling(handle: (request: Request) => Promise<Response>): Promise<Subject> {
  const call = async (): Promise<string> => (await handle(new Request(url, { method: "POST", headers, body }))).text();
  const text = await call();
  checkRoom((JSON.parse(/\{.*\}/.exec(text)?.[0] ?? "{}") as { result?: unknown }).result);
  return { slow: SLOW, run: (n) => inFlight(n, 32, call), close: () => {} };
}

export default {
  title: "MCP tools/call by Request and Response, stateless, zod schema checked, without a network, 32 in flight",
  contenders: [
    { name: "ours", kind: "ours", prepare: () => calling(fetchHandler(ours.server())) },
    {
      name: "official 2.x",
      kind: "peer",
      prepare: () => {
        const handler = createMcpHandler(official2.server);
        return calling((request) => handler.fetch(request));
      },
    },
    {
      name: "bare",
      kind: "bare",
      prepare: () =>
        calling(
          async (request) =>
            new Response(answerTo(await request.text()), { headers: { "content-type": "application/json" } }),
        ),
    },
  ],
  bars: [{ against: "bare", atLeast: 0.65 }],
} satisfies Row;
