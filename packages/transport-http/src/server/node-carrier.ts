import type { HeaderFields } from "../header-fields.ts";
import type { BodyDone, Carrier } from "./carrier.ts";
import type { NodeRequest, NodeResponse } from "./node-types.ts";
import { decode, joined } from "./text.ts";

/** ms for which the rest of a body that was refused is read and thrown away, so that the client sees the refusal. */
const LINGER = 2000;

/** Bytes of an unread body for which it is not worth to give up the connection: node:http reads and drops them. */
const SMALL = 65_536;

/** A request and response of node:http. */
export class NodeCarrier implements Carrier {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  #onGone: (() => void) | undefined;
  /** Lets go of what has read the body: the request may live as long as a stream does. */
  #forget: (() => void) | undefined;

  constructor(request: NodeRequest, response: NodeResponse) {
    this.#request = request;
    this.#response = response;
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get target(): string {
    return this.#request.originalUrl ?? this.#request.url ?? "/";
  }

  get headers(): { readonly [name: string]: string | undefined } {
    return this.#request.headers as { readonly [name: string]: string | undefined };
  }

  header(name: string): string | undefined {
    const value = name === "authorization" ? credentialsIn(this.#request) : this.#request.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  read(limit: number, done: BodyDone): void {
    const request = this.#request;
    if (request.body !== undefined) return readParsed(request.body, limit, done);
    if (Number(request.headers["content-length"]) > limit) return done(undefined, "too large");
    let first: Uint8Array | undefined;
    let rest: Uint8Array[] | undefined;
    let length = 0;
    let over = false;
    const data = (chunk: Uint8Array): void => {
      if (over) return;
      length += chunk.length;
      if (length <= limit) {
        if (!first) first = chunk;
        else (rest ??= [first]).push(chunk);
        return;
      }
      over = true;
      first = rest = undefined;
      done(undefined, "too large");
    };
    const end = (): void => {
      if (over) return;
      over = true;
      const bytes = rest ? joined(rest, length) : first;
      first = rest = undefined;
      if (bytes) decode(bytes, limit, done);
      else done("");
    };
    const fail = (): void => {
      if (!over) done(undefined, "gone");
      over = true;
    };
    request.on("data", data);
    request.on("end", end);
    request.on("error", fail);
    this.#forget = () => {
      request.on("error", nothing);
      request.off("data", data);
      request.off("end", end);
      request.off("error", fail);
    };
  }

  setHeader(name: string, value: string): void {
    if (!this.#response.destroyed) this.#response.setHeader(name, value);
  }

  answer(status: number, headers: HeaderFields, text?: string): void {
    const response = this.#response;
    if (response.destroyed) return;
    if (text !== undefined) (headers as Record<string, string>)["Content-Length"] = String(Buffer.byteLength(text));
    if (!this.#request.readableEnded && this.#mustClose(headers)) return this.#answerEarly(status, headers, text);
    response.writeHead(status, headers);
    response.end(text);
  }

  begin(headers: HeaderFields): void {
    if (this.#response.destroyed) return;
    this.#forget?.();
    this.#forget = undefined;
    this.#response.writeHead(200, headers);
    this.#response.flushHeaders();
  }

  write(text: string): void {
    if (!this.#response.destroyed) this.#response.write(text);
  }

  get buffered(): number {
    return this.#response.writableLength;
  }

  drained(then: () => void): void {
    const response = this.#response;
    if (response.destroyed) return then();
    const once = (): void => {
      response.off("drain", once);
      response.off("close", once);
      then();
    };
    response.once("drain", once);
    response.once("close", once);
  }

  end(): void {
    this.#response.end();
  }

  abort(): void {
    this.#response.destroy();
  }

  onGone(then: () => void): void {
    const response = this.#response;
    if (response.destroyed) return response.writableFinished ? undefined : then();
    const isFirst = this.#onGone === undefined;
    this.#onGone = then;
    if (!isFirst) return;
    response.once("close", () => this.#left());
    // One that waits for its turn hears nothing of the connection's end.
    if (response.socket === null)
      this.#request.socket?.once("close", () => {
        if (response.destroyed) return;
        response.destroy();
        this.#left();
      });
  }

  #left(): void {
    const then = this.#onGone;
    this.#onGone = nothing;
    if (!this.#response.writableFinished) then?.();
  }

  #mustClose(headers: HeaderFields): boolean {
    if (this.method !== "POST") return false;
    return headers["Connection"] === "close" || !(Number(this.#request.headers["content-length"]) <= SMALL);
  }

  /** A connection that is closed while the client still writes is reset, and the answer lost with it. */
  #answerEarly(status: number, headers: HeaderFields, text = ""): void {
    const response = this.#response;
    response.writeHead(status, { ...headers, Connection: "close", "Content-Length": String(Buffer.byteLength(text)) });
    if (text) response.write(text);
    else response.flushHeaders();
    const close = setTimeout(() => response.end(), LINGER);
    const closeNow = (): void => {
      clearTimeout(close);
      response.end();
    };
    response.once("close", () => clearTimeout(close));
    this.#request.on("end", closeNow);
    this.#request.on("error", closeNow);
    this.#request.resume();
  }
}

/** An error that nobody hears ends the process. */
const nothing = (): void => {};

/** What a framework's body parser has left. */
function readParsed(body: unknown, limit: number, done: BodyDone): void {
  if (body instanceof Uint8Array) decode(body, limit, done);
  else done(typeof body === "string" ? body : (JSON.stringify(body) ?? ""));
}

/** Of several, node:http shows the first alone, though whoever stands in front may have looked at the last. */
function credentialsIn({ headers, rawHeaders }: NodeRequest): string | readonly string[] | undefined {
  const first = headers["authorization"];
  if (first === undefined) return undefined;
  const all = rawHeaders.filter((_value, at) => at % 2 === 1 && /^authorization$/i.test(rawHeaders[at - 1] ?? ""));
  return all.length > 1 ? all : first;
}
