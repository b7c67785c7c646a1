import { bundle, bundleNote, bytes } from "../contenders/bundle.ts";
import type { Row } from "../harness/row.ts";

const info = `{ name: "host", version: "1.0.0" }`;

export default {
  title: "Size of an MCP client over stdio",
  note: `${bundleNote} Of ours that leaves out 0.9 kB that it loads when it meets a server that takes a handshake.`,
  exact: true,
  figures: [bytes],
  contenders: [
    bundle(
      "ours",
      "ours",
      `import { connect } from "@x/mcp/client";
       import { command } from "@x/transport-stdio";
       const client = await connect(command("node", ["server.js"]), ${info});
       console.log(await client.callTool("now"));`,
    ),
    bundle(
      "official 1.x",
      "peer",
      `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
       import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
       const client = new Client(${info});
       await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
       console.log(await client.callTool({ name: "now" }));`,
    ),
    bundle(
      "official 2.x",
      "peer",
      `import { Client } from "@modelcontextprotocol/client";
       import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
       const client = new Client(${info});
       await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
       console.log(await client.callTool({ name: "now" }));`,
    ),
  ],
  bars: [{ atMost: 16_000 }, { against: ["official 1.x", "official 2.x"], atMost: 1 / 5 }],
} satisfies Row;
