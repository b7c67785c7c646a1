import type { HeaderFields } from "../header-fields.ts";
import type { BodyDone, Carrier } from "./carrier.ts";
import { decode, joined } from "./text.ts";

const encoder = new TextEncoder();

/** A Request, and a promise of its Response. */
export class FetchCarrier implements Carrier {
  readonly response: Promise<Response>;
  readonly #request: Request;
  #respond!: (response: Response) => void;
  #extra: Record<string, string> | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;
  #gone = false;
  #onGone: (() => void) | undefined;
  #onDrain: (() => void)[] = [];

  constructor(request: Request) {
    this.#request = request;
    this.response = new Promise((resolve) => (this.#respond = resolve));
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    const { url } = this.#request;
    return url.slice(url.indexOf("/", url.indexOf("//") + 2));
  }

  get headers(): { readonly [name: string]: string | undefined } {
    return Object.fromEntries(this.#request.headers);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name);
    if (value !== null) return value;
    // A Request that was made in this process has no Host of its own.
    return name === "host" ? new URL(this.#request.url).host : undefined;
  }

  read(limit: number, done: BodyDone): void {
    void this.#readInto(limit, done);
  }

  setHeader(name: string, value: string): void {
    (this.#extra ??= {})[name] = value;
  }

  answer(status: number, headers: HeaderFields, text?: string): void {
    this.#ended = true;
    // A Response with status 204 or 304 can't be made with a body, not even an empty one.
    this.#respond(new Response(text ?? null, { status, headers: { ...headers, ...this.#extra } }));
  }

  begin(headers: HeaderFields): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#stream = controller),
        pull: () => this.#drain(),
        cancel: () => this.#leave(),
      },
      { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    this.#respond(new Response(body, { status: 200, headers: { ...headers, ...this.#extra } }));
  }

  write(text: string): void {
    if (this.#stream && !this.#ended) this.#stream.enqueue(encoder.encode(text));
  }

  get buffered(): number {
    return this.#stream ? Math.max(0, 65_536 - (this.#stream.desiredSize ?? 65_536)) : 0;
  }

  drained(then: () => void): void {
    if (this.#ended || (this.#stream?.desiredSize ?? 1) > 0) return then();
    this.#onDrain.push(then);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stream?.close();
    this.#drain();
  }

  abort(): void {
    if (this.#ended) return;
    this.#stream?.error(new Error("The server has ended the stream"));
    this.#leave();
  }

  onGone(then: () => void): void {
    if (this.#gone) return then();
    this.#onGone = then;
    const { signal } = this.#request;
    if (signal.aborted) return this.#leave();
    signal.addEventListener("abort", () => this.#leave(), { once: true });
  }

  #leave(): void {
    if (this.#ended) return;
    this.#ended = this.#gone = true;
    this.#onGone?.();
    this.#drain();
    // Nobody is there to read it, but the runtime waits for a Response all the same.
    this.#respond(new Response(null, { status: 499 }));
  }

  #drain(): void {
    const waiting = this.#onDrain;
    this.#onDrain = [];
    for (const then of waiting) then();
  }

  async #readInto(limit: number, done: BodyDone): Promise<void> {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#read(limit);
    } catch {
      this.#leave();
      return done(undefined, "gone");
    }
    if (bytes) decode(bytes, limit, done);
    else done(undefined, "too large");
  }

  /** Undefined for more than the limit. */
  async #read(limit: number): Promise<Uint8Array | undefined> {
    const { body, headers } = this.#request;
    if (Number(headers.get("content-length")) > limit) return undefined;
    if (!body) return new Uint8Array();
    if (headers.has("content-length")) return new Uint8Array(await this.#request.arrayBuffer());
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (const reader = body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return joined(pieces, length);
      length += value.byteLength;
      pieces.push(value);
      if (length <= limit) continue;
      reader.cancel().catch(() => {});
      return undefined;
    }
  }
}
