import * as mcp from "@x/mcp";
import * as client from "@x/mcp/client";
import * as http from "@x/mcp/http";
import * as server from "@x/mcp/server";

console.log([mcp, client, http, server].map((module) => Object.keys(module)));
