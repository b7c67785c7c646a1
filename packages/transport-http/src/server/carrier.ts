import type { HeaderFields } from "../header-fields.ts";

/** What there is to know of an HTTP request, whatever the runtime. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as they came: `/mcp?x=1`. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string | undefined };
  /** A header's value; several of one name are joined by ", ". `name` is lower-case. */
  header(name: string): string | undefined;
}

/** Why a body can't be had. */
type BodyFault = "too large" | "not UTF-8" | "gone";

/** Takes a body, or undefined and why there is none. */
export type BodyDone = (text: string | undefined, fault?: BodyFault) => void;

/**
 * One HTTP request and its answer: all that the rest of the server knows of a runtime. It is answered once, by
 * `answer`, or by `begin` and any number of `write`. Whatever is called after the client has gone does nothing.
 */
export interface Carrier extends HttpRequest {
  /** Gives the body as text, once, in the same turn as its last byte comes. */
  read(limit: number, done: BodyDone): void;
  /** Adds a header to whatever answer comes. */
  setHeader(name: string, value: string): void;
  /** The whole answer, in one write. */
  answer(status: number, headers: HeaderFields, text?: string): void;
  /** Starts an answer that is written piece by piece. */
  begin(headers: HeaderFields): void;
  write(text: string): void;
  /** Bytes that the client has not taken yet. */
  readonly buffered: number;
  /** Calls back once, when the client has taken what was written, or has gone. */
  drained(then: () => void): void;
  end(): void;
  /** Breaks the connection. */
  abort(): void;
  /**
   * Calls back once if the client goes before the answer has ended; at once where it has gone already. Whoever asks last
   * is called.
   */
  onGone(then: () => void): void;
}
