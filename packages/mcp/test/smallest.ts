// The smallest server that is worth its name.
import { McpServer } from "@x/mcp/server";
import { serveStdio } from "@x/transport-stdio";
import { z } from "zod";

const server = new McpServer({ name: "adder", version: "1.0.0" });
server.tool("add", { input: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => `${a + b}`);
await serveStdio(server);
