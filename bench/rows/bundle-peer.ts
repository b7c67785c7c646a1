import { bundle, bundleNote, bytes } from "../contenders/bundle.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "Size of a JSON-RPC peer that calls and answers",
  note: bundleNote,
  exact: true,
  figures: [bytes],
  contenders: [
    bundle("ours", "ours", `export { createPeer, implement } from "@x/jsonrpc";`),
    bundle("ours, createPeer alone", "ours", `export { createPeer } from "@x/jsonrpc";`),
    bundle(
      "json-rpc-2.0",
      "peer",
      `export { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";`,
    ),
    bundle("vscode-jsonrpc", "peer", `export { createMessageConnection } from "vscode-jsonrpc";`),
    bundle("jayson", "peer", `export { Client, Server } from "jayson";`),
  ],
  bars: [{ of: "ours, createPeer alone", atMost: 5000 }],
} satisfies Row;
