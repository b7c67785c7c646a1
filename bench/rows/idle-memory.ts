import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { EndTransport } from "../contenders/end-transport.ts";
import { heapPer, perConnection } from "../contenders/heap.ts";
import * as official1 from "../contenders/official-1.ts";
import * as official2 from "../contenders/official-2.ts";
import * as ours from "../contenders/ours.ts";
import { initialize, initialized } from "../contenders/raw-client.ts";
import { type TextEnd, textPair } from "../contenders/text-pair.ts";
import { TextTransport } from "../contenders/text-transport.ts";
import type { Row } from "../harness/row.ts";

/** Goes through the handshake by hand, so that no client's memory is counted. */
async function introduced(serve: (end: TextEnd) => unknown): Promise<unknown> {
  const [here, there] = textPair();
  const kept = await serve(there);
  await new Promise<string>((resolve) => {
    here.onText = resolve;
    here.send(JSON.stringify(initialize));
  });
  here.onText = () => {};
  here.send(JSON.stringify(initialized));
  return [here, kept];
}

const server = ours.server();

export default {
  title: "Memory of one idle connection to a server with one tool, in memory, after the handshake",
  note: "The official servers serve one connection each, so that every connection has a server of its own.",
  figures: [perConnection],
  flags: ["--expose-gc"],
  contenders: [
    {
      name: "ours",
      kind: "ours",
      measure: (effort) => heapPer(() => introduced((end) => server.connect(new EndTransport(end))), effort),
    },
    {
      name: "official 1.x",
      kind: "peer",
      measure: (effort) => heapPer(() => introduced((end) => connect1(end)), effort),
    },
    {
      name: "official 2.x",
      kind: "peer",
      measure: (effort) =>
        heapPer(() => introduced((end) => serveStdio(official2.server, { transport: new TextTransport(end) })), effort),
    },
  ],
  bars: [{ atMost: 4000 }],
} satisfies Row;

async function connect1(end: TextEnd): Promise<unknown> {
  const made = official1.server();
  await made.connect(new TextTransport(end));
  return made;
}
