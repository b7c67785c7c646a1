import { inFlight } from "../contenders/in-flight.ts";
import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import * as official1 from "../contenders/official-1.ts";
import { joined as official1Joined } from "../contenders/official-1-joined.ts";
import * as official2 from "../contenders/official-2.ts";
import { joined as official2Joined } from "../contenders/official-2-joined.ts";
import * as ours from "../contenders/ours.ts";
import { joined as oursJoined } from "../contenders/ours-joined.ts";
import { checkRefused, checkRoom, room } from "../contenders/room.ts";
import type { Row, Subject } from "../harness/row.ts";

/** 64 calls in flight; the first result is checked, and that the schema is. */
async function calling(call: (args: Record<string, unknown>) => Promise<unknown>): Promise<Subject> {
  checkRoom(await call(room.arguments));
  checkRefused(await call({ roomId: 301 }));
  return { run: (n) => inFlight(n, 64, () => call(room.arguments)), close: () => {} };
}

async function oursCalling(lifecycle: "handshake" | "stateless"): Promise<Subject> {
  const client = await oursJoined(ours.server(), lifecycle);
  return await calling((args) => client.callTool(room.name, args));
}

async function officialCalling(joined: ReturnType<typeof official1Joined> | ReturnType<typeof official2Joined>) {
  const client = await joined;
  return await calling((args) => client.callTool({ name: room.name, arguments: args }));
}

export default {
  title: "MCP tools/call, client and server in memory, as text, zod schema checked, 64 in flight",
  contenders: [
    { name: "ours, handshake", kind: "ours", prepare: () => oursCalling("handshake") },
    { name: "ours, stateless", kind: "ours", prepare: () => oursCalling("stateless") },
    { name: "official 1.x", kind: "peer", prepare: () => officialCalling(official1Joined(official1.server())) },
    {
      name: "official 2.x, handshake",
      kind: "peer",
      prepare: () => officialCalling(official2Joined(official2.server, "handshake")),
    },
    {
      name: "official 2.x, stateless",
      kind: "peer",
      prepare: () => officialCalling(official2Joined(official2.server, "stateless")),
    },
  ],
  bars: againstOfficial({ atLeast: 5 }),
} satisfies Row;
