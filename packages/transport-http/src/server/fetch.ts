import { Endpoint } from "./endpoint.ts";
import { FetchCarrier } from "./fetch-carrier.ts";
import type { CloseOptions } from "./node.ts";
import type { HttpServerOptions, StreamableOptions } from "./options.ts";
import type { PlainServer, ProtocolServer } from "./protocol.ts";
import { resourceFor } from "./serve.ts";

/** A handler for runtimes that serve by Request and Response: Deno, Bun, Workers, Hono and the like. */
export interface FetchHandler {
  (request: Request): Promise<Response>;
  /** Answers new requests with 503, ends streams in order, waits for running calls. */
  readonly close: (options?: CloseOptions) => Promise<void>;
}

/** Serves JSON-RPC over HTTP: `export default { fetch: fetchHandler(service) }`. The promise never rejects. */
export function fetchHandler(server: ProtocolServer, options?: StreamableOptions): FetchHandler;
export function fetchHandler(server: PlainServer, options?: HttpServerOptions): FetchHandler;
export function fetchHandler(server: PlainServer | ProtocolServer, options: StreamableOptions = {}): FetchHandler {
  const endpoint = new Endpoint(resourceFor(server, options), options);
  const handle = (request: Request): Promise<Response> => {
    const carrier = new FetchCarrier(request);
    endpoint.accept(carrier);
    return carrier.response;
  };
  return Object.assign(handle, { close: (how?: CloseOptions) => endpoint.close(how) });
}
