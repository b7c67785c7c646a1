import { bundle, bundleNote, bytes } from "../contenders/bundle.ts";
import type { Row } from "../harness/row.ts";

const info = `{ name: "host", version: "1.0.0" }`;
const url = `"https://example.com/mcp"`;

export default {
  title: "Size of an MCP client over HTTP",
  note:
    `${bundleNote} Of ours that leaves out 1.5 kB that it loads when it connects, what HTTP has to know of MCP, and ` +
    "2.4 kB that it loads when it meets a server that takes a handshake.",
  exact: true,
  figures: [bytes],
  contenders: [
    bundle(
      "ours",
      "ours",
      `import { connect } from "@x/mcp/client";
       import { http } from "@x/transport-http";
       const client = await connect(http(${url}), ${info});
       console.log(await client.callTool("now"));`,
    ),
    bundle(
      "official 1.x",
      "peer",
      `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
       import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
       const client = new Client(${info});
       await client.connect(new StreamableHTTPClientTransport(new URL(${url})));
       console.log(await client.callTool({ name: "now" }));`,
    ),
    bundle(
      "official 2.x",
      "peer",
      `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
       const client = new Client(${info});
       await client.connect(new StreamableHTTPClientTransport(new URL(${url})));
       console.log(await client.callTool({ name: "now" }));`,
    ),
  ],
  bars: [{ atMost: 20_000 }, { against: ["official 1.x", "official 2.x"], atMost: 1 / 5 }],
} satisfies Row;
