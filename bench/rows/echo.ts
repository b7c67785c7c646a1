import { bare, jaysonCall, jaysonClient, jsonRpc2, ours, vscode } from "../contenders/echo-peers.ts";
import { inFlight } from "../contenders/in-flight.ts";
import { checkEcho, order } from "../contenders/order.ts";
import type { Row, Subject } from "../harness/row.ts";

/** 64 calls in flight; the first result is checked. */
async function echoing(call: () => PromiseLike<unknown>): Promise<Subject> {
  checkEcho(await call());
  return { run: (n) => inFlight(n, 64, call), close: () => {} };
}

export default {
  title: "Echo between two peers in memory, as text, 64 in flight",
  contenders: [
    {
      name: "ours",
      kind: "ours",
      prepare: () => {
        const peer = ours();
        return echoing(() => peer.request("echo", order));
      },
    },
    {
      name: "json-rpc-2.0",
      kind: "peer",
      prepare: () => {
        const peer = jsonRpc2();
        return echoing(() => peer.request("echo", order, undefined));
      },
    },
    {
      name: "vscode-jsonrpc",
      kind: "peer",
      prepare: () => {
        const peer = vscode();
        return echoing(() => peer.sendRequest("echo", order));
      },
    },
    {
      name: "jayson",
      kind: "peer",
      prepare: () => {
        const client = jaysonClient();
        return echoing(() => jaysonCall(client, "echo", order));
      },
    },
    {
      name: "bare",
      kind: "bare",
      prepare: () => {
        const peer = bare();
        return echoing(() => peer.request("echo", order));
      },
    },
  ],
  bars: [
    { against: "bare", atLeast: 0.65 },
    { against: "json-rpc-2.0", atLeast: 1.5 },
    { against: "vscode-jsonrpc", atLeast: 4 },
  ],
} satisfies Row;
