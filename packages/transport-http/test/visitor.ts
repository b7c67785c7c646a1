import assert from "node:assert/strict";
import { type Headers, type Reply, type Send, post, replyOf } from "./mcp.ts";

export const INIT = (protocolVersion = "2025-11-25", capabilities: object = {}): object => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities, clientInfo: { name: "t", version: "1" } },
});
export const INITED = { jsonrpc: "2.0", method: "notifications/initialized" };

/** A client of one session, by hand. */
export class Visitor {
  readonly send: Send;
  readonly headers: Headers;
  #ids = 1;

  constructor(send: Send, headers: Headers) {
    this.send = send;
    this.headers = headers;
  }

  static async greeted(send: Send, version = "2025-11-25", more: Headers = {}, capabilities = {}): Promise<Visitor> {
    const response = await post(send, INIT(version, capabilities), more);
    assert.equal(response.status, 200);
    const session = response.headers.get("mcp-session-id") ?? undefined;
    await response.text();
    const visitor = new Visitor(send, { ...more, "Mcp-Session-Id": session, "MCP-Protocol-Version": version });
    assert.equal((await visitor.post(INITED)).status, 202);
    return visitor;
  }

  post(message: unknown, more: Headers = {}, signal?: AbortSignal): Promise<Response> {
    return post(this.send, message, { ...this.headers, ...more }, signal);
  }

  open(
    method: string,
    params: object = {},
    id: string | number = ++this.#ids,
    signal?: AbortSignal,
  ): Promise<Response> {
    return this.post({ jsonrpc: "2.0", id, method, params }, {}, signal);
  }

  async ask(method: string, params: object = {}, id?: string | number): Promise<Reply> {
    return await replyOf(await this.open(method, params, id));
  }

  tool(name: string, args: object = {}, id?: string | number): Promise<Reply> {
    return this.ask("tools/call", { name, arguments: args }, id);
  }

  get(more: Headers = {}, signal?: AbortSignal): Promise<Response> {
    return this.send("GET", { Accept: "text/event-stream", ...this.headers, ...more }, undefined, signal);
  }

  end(): Promise<Response> {
    return this.send("DELETE", this.headers);
  }
}
