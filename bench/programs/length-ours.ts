import { serveStdio } from "@x/transport-stdio";
import { LARGEST, lengthTool } from "../contenders/length-tool.ts";
import { server } from "../contenders/ours.ts";

const made = server();
made.tool(lengthTool.name, { input: lengthTool.input }, lengthTool.answer);
await serveStdio(made, { maxBytes: LARGEST });
