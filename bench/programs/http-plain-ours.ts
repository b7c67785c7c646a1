// A service without MCP, with the one method that the others have too.
import { createServer } from "node:http";
import { implement } from "@x/jsonrpc";
import { nodeListener } from "@x/transport-http";
import { listen } from "../contenders/listen.ts";
import { roomMethods } from "../contenders/room-methods.ts";

listen(createServer(nodeListener(implement(roomMethods))));
