import { type Message, type Notification, type Request, RpcError, type Transport, memoryPair } from "@x/jsonrpc";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";

export type Fields = { readonly [name: string]: unknown };

/** What a scripted server answers to a method: a result, an RpcError, or undefined for silence. Others are -32601. */
export type Script = { readonly [method: string]: (params: Fields, id: unknown) => unknown };

/** The far side of a client under test: it answers what its script says, and keeps what it hears. */
export class Scripted {
  /** The client's end. */
  readonly transport: Transport;
  readonly heard: (Request | Notification)[] = [];
  /** Answers to what this side asked. */
  readonly answers: Message[] = [];
  readonly #transport: Transport;

  constructor(script: Script) {
    [this.transport, this.#transport] = memoryPair();
    void this.#transport.open((message) => this.#receive(message as Message, script));
  }

  get methods(): string[] {
    return this.heard.map(({ method }) => method);
  }

  /** Parameters of the first message with this method. */
  params(method: string): Fields {
    return this.heard.find((message) => message.method === method)?.params as Fields;
  }

  say(message: object): void {
    void this.#transport.send({ jsonrpc: "2.0", ...message } as Message);
  }

  end(): void {
    void this.#transport.close();
  }

  #receive(message: Message, script: Script): void {
    if (!("method" in message)) return void this.answers.push(message);
    this.heard.push(message);
    if (!("id" in message)) return;
    const { [message.method]: answer = () => new RpcError(-32601, "Method not found") } = script;
    const outcome = answer((message.params ?? {}) as Fields, message.id);
    if (RpcError.is(outcome)) {
      const { code, message: text, data } = outcome;
      this.say({ id: message.id, error: { code, message: text, ...(data !== undefined && { data }) } });
    } else if (outcome !== undefined) this.say({ id: message.id, result: outcome });
  }
}

/** Answers of a stateless server with tools. */
export const modern: Script = {
  "server/discover": () => ({
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: { listChanged: true } },
    ttlMs: 0,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1.0.0" } },
  }),
};

/** Answers of a server with tools that is met by a handshake and refuses everything else. */
export const legacy: Script = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "scripted", version: "1.0.0" },
    instructions: "Be kind.",
  }),
};

/** Who the client under test says it is. */
export const info = { name: "test", version: "1.0.0" };

/** A client that is connected to a scripted server. */
export async function meet(script: Script, options?: ConnectOptions): Promise<{ server: Scripted; client: Client }> {
  const server = new Scripted(script);
  return { server, client: await connect(server.transport, info, options) };
}

export const text = (words: string): Fields => ({ content: [{ type: "text", text: words }] });
