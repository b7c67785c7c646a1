import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { server } from "../contenders/official-2.ts";

serveStdio(server);
