import type { TestContext } from "node:test";
import { McpServer, type McpServerOptions } from "@x/mcp/server";
import { type CloseOptions, type StreamableOptions, fetchHandler, nodeListener } from "../src/index.ts";
import { eventsIn } from "./events.ts";
import { listening } from "./serve.ts";

/** A server with tools for every way in which a call can go. */
export interface Probe {
  readonly server: McpServer;
  /** Reasons why handlers of "wait" were aborted. */
  readonly aborted: unknown[];
  /** Handlers of "wait" that were started. */
  readonly started: { readonly count: number };
  /** Lets the handlers of "wait" that run now return. */
  readonly release: () => void;
}

export function probe(options?: McpServerOptions): Probe {
  const server = new McpServer({ name: "probe", version: "1.0.0" }, options);
  const aborted: unknown[] = [];
  const started = { count: 0 };
  let waiting: (() => void)[] = [];
  server.tool("echo", { description: "Says what it is told" }, ({ text }) => String(text));
  server.tool("report", { description: "Reports its progress" }, async (_args, context) => {
    for (const done of [1, 2, 3]) context.progress(done, 3);
    return "reported";
  });
  server.tool("wait", { description: "Waits to be released" }, ({ text = "released" }, { signal }) => {
    started.count++;
    return new Promise<string>((resolve, reject) => {
      waiting.push(() => resolve(String(text)));
      signal.addEventListener("abort", () => {
        aborted.push(signal.reason);
        reject(signal.reason as Error);
      });
    });
  });
  server.tool("ask", { description: "Asks for the client's roots" }, async (_args, context) => {
    const roots = await context.listRoots();
    return roots.map(({ uri }) => uri).join(", ");
  });
  server.tool(
    "region",
    {
      description: "Has parameters that headers mirror",
      input: {
        type: "object",
        properties: {
          region: { type: "string", "x-mcp-header": "Region" },
          count: { type: "integer", "x-mcp-header": "Count" },
          dry: { type: "boolean", "x-mcp-header": "Dry" },
          where: { type: "object", properties: { zone: { type: "string", "x-mcp-header": "Zone" } } },
        },
      },
    },
    (args) => JSON.stringify(args),
  );
  const release = (): void => {
    for (const go of waiting) go();
    waiting = [];
  };
  return { server, aborted, started, release };
}

export const META = "io.modelcontextprotocol/";

/** The `_meta` of a stateless request. */
export const meta = (more: object = {}): object => ({
  [`${META}protocolVersion`]: "2026-07-28",
  [`${META}clientInfo`]: { name: "test", version: "1.0.0" },
  [`${META}clientCapabilities`]: {},
  ...more,
});

export type Headers = { readonly [name: string]: string | undefined };

/** Sends one HTTP request to a server under test. */
export interface Send {
  (method: string, headers: Headers, body?: string, signal?: AbortSignal): Promise<Response>;
  /** Closes the endpoint. */
  readonly close: (options?: CloseOptions) => Promise<void>;
}

const JSON_TYPE = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

export type Start = (t: TestContext, server: McpServer, options?: StreamableOptions) => Promise<Send>;

const defined = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

const initOf = (...[method, headers, body, signal]: Parameters<Send>): RequestInit => ({
  method,
  headers: defined(headers),
  ...(body === undefined ? undefined : { body }),
  ...(signal && { signal }),
});

/** Both entries, by name: they have to behave alike. */
export const entries: readonly (readonly [string, Start])[] = [
  [
    "node listener",
    async (t, server, options) => {
      const listener = nodeListener(server, options);
      const port = await listening(t, listener);
      const send = (...[method, headers, body, signal]: Parameters<Send>): Promise<Response> =>
        fetch(`http://localhost:${port}/mcp`, initOf(method, headers, body, signal));
      return Object.assign(send, { close: listener.close });
    },
  ],
  [
    "fetch handler",
    async (t, server, options) => {
      const handle = fetchHandler(server, options);
      // Stands for the socket that a runtime would be listening on.
      const listens = setInterval(() => {}, 1000);
      t.after(() => clearInterval(listens));
      t.after(() => handle.close({ deadline: 0 }));
      const send = (...[method, headers, body, signal]: Parameters<Send>): Promise<Response> =>
        handle(new Request("http://localhost:3000/mcp", initOf(method, headers, body, signal)));
      return Object.assign(send, { close: handle.close });
    },
  ],
];

export interface Reply {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  /** What the body has: one message, or those of its events. */
  readonly messages: readonly Message[];
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export async function replyOf(response: Response): Promise<Reply> {
  const text = await response.text();
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const messages = isStream
    ? eventsIn(text).flatMap(({ data }) => (data ? [JSON.parse(data)] : []))
    : text.startsWith("{")
      ? [JSON.parse(text)]
      : [];
  return { status: response.status, headers: response.headers, text, messages };
}

export interface Call {
  readonly id?: string | number;
  readonly params?: object;
  readonly meta?: object;
  readonly headers?: Headers;
  readonly signal?: AbortSignal;
}

/** A stateless request with all the headers that it should have, unless told otherwise. */
export async function openCall(send: Send, method: string, call: Call = {}): Promise<Response> {
  const { id = 1, params = {}, headers = {}, meta: more, signal } = call;
  const { name, uri } = params as { name?: string; uri?: string };
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta(more) } });
  return await send(
    "POST",
    {
      ...JSON_TYPE,
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": method,
      "Mcp-Name": name ?? uri,
      ...headers,
    },
    body,
    signal,
  );
}

export const call = async (send: Send, method: string, how?: Call): Promise<Reply> =>
  await replyOf(await openCall(send, method, how));

export const tool = (send: Send, name: string, args: object = {}, how: Call = {}): Promise<Reply> =>
  call(send, "tools/call", { ...how, params: { name, arguments: args } });

/** Any message, with headers of a session. */
export async function post(
  send: Send,
  message: unknown,
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return await send("POST", { ...JSON_TYPE, ...headers }, body, signal);
}

export const textOf = ({ messages }: Reply): string | undefined =>
  (messages.at(-1)?.result?.["content"] as { text: string }[] | undefined)?.map(({ text }) => text).join("\n");

export const codeOf = ({ messages }: Reply): number | undefined => messages.at(-1)?.error?.code;
