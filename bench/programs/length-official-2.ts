import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { LARGEST, lengthTool } from "../contenders/length-tool.ts";
import { server } from "../contenders/official-2.ts";

const made = server();
made.registerTool(lengthTool.name, { inputSchema: lengthTool.input }, (args) => ({
  content: [{ type: "text", text: lengthTool.answer(args) }],
}));
await made.connect(new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LARGEST }));
