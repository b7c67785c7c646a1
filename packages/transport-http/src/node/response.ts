import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** An error as fetch rejects with: a TypeError with the cause. */
export const failed = (cause: unknown): TypeError => new TypeError("fetch failed", { cause });

/** What node:http has received, as a Response. Throws a TypeError for one that no Response can be. */
export function responseOf(message: IncomingMessage, signal: AbortSignal | null | undefined): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", headers } = message;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw failed(new Error(`the answer is in ${JSON.stringify(encoding)}, which was not asked for`));
  const init = { status, statusText, headers: pairs(message.rawHeaders) };
  if (headers["content-length"] !== "0" && !EMPTY.has(status))
    return new NodeResponse(message, signal, init) as unknown as Response;
  message.resume();
  return new Response(null, init);
}

/** Statuses of responses without a body. */
const EMPTY = new Set([204, 205, 304]);

function pairs(raw: readonly string[]): [string, string][] {
  const all: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) all.push([raw[i]!, raw[i + 1]!]);
  return all;
}

/** Response as a class whose methods can be overridden: Node's types have them as properties. */
const WithoutBody = Response as unknown as new (
  body: null,
  init: ResponseInit,
) => Pick<Response, "status" | "statusText" | "headers">;

/** A response whose body is a stream of Node's: read as text it never becomes one of the web's, which take as long as all else. */
class NodeResponse extends WithoutBody {
  readonly #message: IncomingMessage;
  readonly #signal: AbortSignal | null | undefined;
  #isRead = false;
  #web: Response | undefined;

  constructor(message: IncomingMessage, signal: AbortSignal | null | undefined, init: ResponseInit) {
    super(null, init);
    this.#message = message;
    this.#signal = signal;
    // Whoever reads the body hears of it; if nobody does, it is nobody's error.
    message.on("error", () => {});
  }

  get body(): Response["body"] {
    return this.#isRead ? null : this.#whole.body;
  }

  get bodyUsed(): boolean {
    return this.#isRead || (this.#web?.bodyUsed ?? false);
  }

  text(): Promise<string> {
    if (this.#web || this.#isRead) return this.#whole.text();
    this.#isRead = true;
    const message = this.#message;
    // It tells of its end no second time.
    if (message.destroyed) return Promise.reject(this.#failure());
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      message.on("data", (chunk: Buffer) => chunks.push(chunk));
      message.on("end", () => resolve(decoder.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))));
      message.on("error", () => reject(this.#failure()));
    });
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#whole.arrayBuffer();
  }

  blob(): ReturnType<Response["blob"]> {
    return this.#whole.blob();
  }

  formData(): ReturnType<Response["formData"]> {
    return this.#whole.formData();
  }

  clone(): Response {
    return this.#whole.clone();
  }

  /** The same with a body of the web's. */
  get #whole(): Response {
    if (this.#isRead) throw new TypeError("The body has been read already");
    if (this.#web) return this.#web;
    const { status, statusText, headers } = this;
    const body = this.#message.destroyed ? this.#broken() : Readable.toWeb(this.#message);
    return (this.#web = new Response(body as ReadableStream<Uint8Array>, { status, statusText, headers }));
  }

  #broken(): ReadableStream<Uint8Array> {
    return new ReadableStream({ start: (controller) => controller.error(this.#failure()) });
  }

  /** Why the body is not whole. */
  #failure(): unknown {
    return this.#signal?.aborted ? this.#signal.reason : failed(this.#message.errored);
  }
}

/** As fetch reads text: without a byte order mark, and with a replacement for what is no UTF-8. */
const decoder = new TextDecoder();
