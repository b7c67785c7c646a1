import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { createPeer } from "@x/jsonrpc";
import { contentLength } from "@x/jsonrpc/framing";
import { streamTransport } from "@x/transport-stdio";
import { StreamMessageReader, StreamMessageWriter, createMessageConnection } from "vscode-jsonrpc/node";
import { barePeer } from "../contenders/bare-peer.ts";
import { headerEnd } from "../contenders/header-end.ts";
import { inFlight } from "../contenders/in-flight.ts";
import { checkEcho, order } from "../contenders/order.ts";
import { pathOf } from "../contenders/program.ts";
import type { Row, Subject } from "../harness/row.ts";
import { STEADY } from "../harness/steady.ts";

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Joins a peer here to its like in a process of its own. */
async function joined(program: string, peer: (child: Child) => () => Promise<unknown>): Promise<Subject> {
  const child = spawn(process.execPath, [STEADY, pathOf(program)], { stdio: ["pipe", "pipe", "inherit"] });
  const call = peer(child);
  checkEcho(await call());
  return {
    shared: true,
    run: (n) => inFlight(n, 64, call),
    close: async () => {
      child.kill();
      await once(child, "close");
    },
  };
}

export default {
  title: "Echo with Content-Length headers over pipes between two processes, 64 in flight",
  contenders: [
    {
      name: "ours",
      kind: "ours",
      prepare: () =>
        joined("headers-ours", ({ stdin, stdout }) => {
          const peer = createPeer(streamTransport(stdout, stdin, { framing: contentLength }));
          return () => peer.request("echo", order);
        }),
    },
    {
      name: "vscode-jsonrpc",
      kind: "peer",
      prepare: () =>
        joined("headers-vscode", ({ stdin, stdout }) => {
          const connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
          connection.listen();
          return () => connection.sendRequest("echo", order);
        }),
    },
    {
      name: "bare",
      kind: "bare",
      prepare: () =>
        joined("headers-bare", ({ stdin, stdout }) => {
          const peer = barePeer(headerEnd(stdout, stdin));
          return () => peer.request("echo", order);
        }),
    },
  ],
  bars: [{ against: "vscode-jsonrpc", atLeast: 2 }],
} satisfies Row;
