import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { LARGEST, lengthTool } from "../contenders/length-tool.ts";
import { server } from "../contenders/official-1.ts";

const made = server();
made.registerTool(lengthTool.name, { inputSchema: lengthTool.input.shape }, (args) => ({
  content: [{ type: "text", text: lengthTool.answer(args) }],
}));
await made.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LARGEST }));
