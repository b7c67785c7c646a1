// What this package uses of node:http, so that its types need none of Node's.

/** An incoming request of node:http, node:https or the compatibility API of node:http2. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express keeps the whole target here where a router is mounted on a path. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly rawHeaders: readonly string[];
  /** Set by a framework that has read the body already: text, bytes, or a value parsed from JSON. */
  readonly body?: unknown;
  readonly readableEnded: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "error", listener: () => void): unknown;
  off(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  off(event: "end" | "error", listener: () => void): unknown;
  /** Missing from requests that are no more than like those of node:http. */
  readonly socket?: { once(event: "close", listener: () => void): unknown } | null | undefined;
  resume(): unknown;
}

/** A response of node:http. */
export interface NodeResponse {
  readonly writableLength: number;
  readonly writableFinished: boolean;
  readonly destroyed: boolean;
  /** Null while answers to earlier requests of the connection are outstanding. */
  readonly socket?: object | null | undefined;
  setHeader(name: string, value: string): unknown;
  writeHead(status: number, headers: Record<string, string>): unknown;
  flushHeaders(): void;
  write(text: string): boolean;
  end(text?: string): unknown;
  destroy(): unknown;
  once(event: "close" | "drain", listener: () => void): unknown;
  off(event: "close" | "drain", listener: () => void): unknown;
}
