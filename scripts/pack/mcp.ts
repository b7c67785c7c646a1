import * as mcp from "@x/mcp";
import * as client from "@x/mcp/client";
import * as server from "@x/mcp/server";

console.log([mcp, client, server].map((module) => Object.keys(module)));
