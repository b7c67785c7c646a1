import * as jsonrpc from "@x/jsonrpc";
import * as framing from "@x/jsonrpc/framing";
import * as middleware from "@x/jsonrpc/middleware";
import * as testing from "@x/jsonrpc/testing";

console.log([jsonrpc, framing, middleware, testing].map((module) => Object.keys(module)));
