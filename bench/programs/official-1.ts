import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { server } from "../contenders/official-1.ts";

await server().connect(new StdioServerTransport());
