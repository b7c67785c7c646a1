import { createServer } from "node:http";
import { nodeListener } from "@x/transport-http";
import { listen, toolCount } from "../contenders/listen.ts";
import { serverOf } from "../contenders/ours.ts";

listen(createServer(nodeListener(serverOf(toolCount))));
