import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import { listening } from "./serve.ts";

/** A request that a scripted server has got. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { readonly [name: string]: unknown };
  /** ms, to tell how long a client waited. */
  readonly at: number;
}

/** Answers by hand: what it gives is the status, the type and the body; undefined where it has answered itself. */
export type Script = (
  asked: Asked,
  response: ServerResponse,
  all: readonly Asked[],
) => readonly [status: number, body?: unknown, headers?: Record<string, string>] | undefined | void;

export interface Scripted {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Those with a method and, for POST, with a JSON-RPC method. */
  of(method: string, rpcMethod?: string): readonly Asked[];
}

/** An HTTP server that says exactly what it is told, right or wrong. */
export async function scripted(t: TestContext, script: Script): Promise<Scripted> {
  const asked: Asked[] = [];
  const port = await listening(t, (request, response) => {
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk: string) => (text += chunk));
    incoming.on("end", () => {
      const { method = "", url = "", headers } = incoming;
      const body = text === "" ? {} : (JSON.parse(text) as Asked["body"]);
      const one: Asked = { method, url, headers, body, at: performance.now() };
      asked.push(one);
      const answer = script(one, outgoing, asked);
      if (!answer) return;
      const [status, content, more] = answer;
      const type = typeof content === "object" ? { "Content-Type": "application/json" } : undefined;
      outgoing.writeHead(status, { ...type, ...more });
      outgoing.end(content === undefined ? undefined : typeof content === "string" ? content : JSON.stringify(content));
    });
  });
  const of = (method: string, rpcMethod?: string): Asked[] =>
    asked.filter((one) => one.method === method && (rpcMethod === undefined || one.body["method"] === rpcMethod));
  return { url: `http://localhost:${port}/mcp`, asked, of };
}

const serverInfo = { name: "scripted", version: "1.0.0" };

/** What a server of a handshake revision says to `initialize`. */
export const initialized = ({ body }: Asked, version = "2025-11-25"): object => ({
  jsonrpc: "2.0",
  id: body["id"],
  result: { protocolVersion: version, capabilities: { tools: { listChanged: true } }, serverInfo },
});

export const result = ({ body }: Asked, value: object): object => ({ jsonrpc: "2.0", id: body["id"], result: value });

export const toolText = (asked: Asked, text: string): object => result(asked, { content: [{ type: "text", text }] });

/** Answers the handshake, and everything else by `script`. */
export const handshake =
  (
    script: Script,
    { version = "2025-11-25", session = "s1" }: { readonly version?: string; readonly session?: string | null } = {},
  ): Script =>
  (asked, response, all) => {
    const { method, body } = asked;
    if (method === "POST" && body["method"] === "server/discover") return [404, { error: "no such thing" }];
    if (method === "POST" && body["method"] === "initialize")
      return [200, initialized(asked, version), session === null ? {} : { "Mcp-Session-Id": session }];
    if (method === "POST" && body["method"] === "notifications/initialized")
      return script(asked, response, all) ?? [202];
    if (method === "DELETE") return script(asked, response, all) ?? [200];
    return script(asked, response, all) ?? (method === "GET" && !response.headersSent ? [405] : undefined);
  };

/** Starts an event stream. */
export function stream(response: ServerResponse, ...pieces: string[]): ServerResponse {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  for (const piece of pieces) response.write(piece);
  return response;
}

export const event = (message: object, id?: string): string =>
  `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
