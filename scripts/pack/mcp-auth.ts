import * as client from "@x/mcp-auth";
import * as node from "@x/mcp-auth/node";
import * as server from "@x/mcp-auth/server";

console.log([client, node, server].map((module) => Object.keys(module)));
