import assert from "node:assert/strict";
import { type Id, type Message, type Request, type Transport, memoryPair } from "@x/jsonrpc";
import { McpServer } from "@x/mcp/server";
import { until } from "./joined.ts";

type Fields = { readonly [name: string]: unknown };

/** What came back for a request: the whole response, and its parts. */
export interface Answer {
  readonly id?: unknown;
  readonly result?: Fields;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One end of a connection that says exactly what it is told, and keeps all that it hears. */
export class Wire {
  readonly received: Message[] = [];
  readonly #transport: Transport;
  readonly #seen = new Set<Message>();
  readonly #waiting = new Map<Id, (answer: Answer) => void>();
  #ids = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
    void transport.open((message) => this.#receive(message as Message));
  }

  /** A client's end of a new connection to `server`, where `principal` is authenticated. */
  static to(server: McpServer, principal?: string): Wire {
    const [near, far] = memoryPair();
    server.connect(principal === undefined ? far : authenticated(far, principal), { onError: () => {} });
    return new Wire(near);
  }

  /** The same after a handshake. */
  static async greeted(
    server: McpServer,
    protocolVersion = "2025-11-25",
    { principal, capabilities = {} }: { readonly principal?: string; readonly capabilities?: object } = {},
  ): Promise<Wire> {
    const wire = Wire.to(server, principal);
    const { error } = await wire.ask("initialize", { ...hello, protocolVersion, capabilities });
    assert.equal(error, undefined);
    wire.notify("notifications/initialized");
    wire.received.length = 0;
    return wire;
  }

  /** Anything, however wrong. */
  send(message: object): void {
    void this.#transport.send(message as Message);
  }

  notify(method: string, params?: object): void {
    this.send({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  ask(method: string, params?: object, id: Id = ++this.#ids): Promise<Answer> {
    return this.put({ jsonrpc: "2.0", id, method, ...(params && { params }) });
  }

  /** Sends a message that has an id; resolves with the answer to it. */
  put(message: object): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => this.#waiting.set((message as { id: Id }).id, resolve));
    this.send(message);
    return answer;
  }

  /** The parameters of the notifications that have come so far. */
  heard(method: string): unknown[] {
    return this.received.flatMap((message) =>
      "method" in message && message.method === method ? [message.params] : [],
    );
  }

  /** The parameters of a notification, which comes or has come; the first unless told otherwise. */
  async hears(method: string, index = 0): Promise<unknown> {
    await until(() => this.heard(method).length > index);
    return this.heard(method)[index];
  }

  /** The server's next request with this method, answered or not. */
  async asked(method: string): Promise<Request> {
    const isIt = (message: Message): message is Request =>
      "method" in message && "id" in message && message.method === method && !this.#seen.has(message);
    await until(() => this.received.some(isIt));
    const request = this.received.find(isIt) as Request;
    this.#seen.add(request);
    return request;
  }

  /** Answers the server's next request with this method. */
  async answer(method: string, result: object): Promise<Request> {
    const request = await this.asked(method);
    this.send({ jsonrpc: "2.0", id: request.id, result });
    return request;
  }

  close(): void {
    void this.#transport.close();
  }

  #receive(message: Message): void {
    this.received.push(message);
    if ("method" in message || !("id" in message)) return;
    this.#waiting.get(message.id)?.(message as Answer);
    this.#waiting.delete(message.id);
  }
}

/** A transport that says of all that comes who sent it, as HTTP does. */
const authenticated = (transport: Transport, principal: string): Transport => ({
  open: (receive) => transport.open((message) => receive(message, { auth: { principal } })),
  send: (message, options) => transport.send(message, options),
  close: () => transport.close(),
});

/** Parameters of `initialize`. */
export const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1.0.0" },
};

const META = "io.modelcontextprotocol/";

/** Parameters of a stateless request. */
export function stateless(params: object = {}, meta: object = {}): object {
  return {
    ...params,
    _meta: {
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientInfo`]: { name: "test", version: "1.0.0" },
      [`${META}clientCapabilities`]: {},
      ...meta,
    },
  };
}

/** A server with one tool, that says what it is told. */
export function echoServer(
  ...options: ConstructorParameters<typeof McpServer> extends [unknown, ...infer O] ? O : never
): McpServer {
  const server = new McpServer({ name: "echo", version: "1.0.0" }, ...options);
  server.tool(
    "echo",
    { input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
    ({ text }) => String(text),
  );
  return server;
}

/** The result, where there has to be one. */
export function resultOf(answer: Answer): Fields {
  assert.ok(answer.result, JSON.stringify(answer));
  return answer.result;
}

/** The text of a tool's result. */
export const textOf = (answer: Answer): string =>
  (resultOf(answer)["content"] as { text: string }[]).map(({ text }) => text).join("\n");
