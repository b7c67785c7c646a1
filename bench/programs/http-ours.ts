import { createServer } from "node:http";
import { nodeListener } from "@x/transport-http";
import { listen, toolCount } from "../contenders/listen.ts";
import { serverOf } from "../contenders/ours.ts";

const server = serverOf(toolCount);
listen(createServer(nodeListener(server)), () => server.tool("new", { description: "New" }, () => ""));
