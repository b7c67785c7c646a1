import { Endpoint } from "./endpoint.ts";
import { NodeCarrier } from "./node-carrier.ts";
import type { NodeRequest, NodeResponse } from "./node-types.ts";
import type { HttpServerOptions, StreamableOptions } from "./options.ts";
import type { PlainServer, ProtocolServer } from "./protocol.ts";
import { resourceFor } from "./serve.ts";

/** How a server ends. */
export interface CloseOptions {
  /** ms that running calls have before they are aborted (default 5,000). */
  readonly deadline?: number | undefined;
}

/** A request listener of node:http; also a handler for Express, and for the raw request and reply of Fastify. */
export interface NodeListener {
  (request: NodeRequest, response: NodeResponse): void;
  /** Answers new requests with 503, ends streams in order, waits for running calls. Close the `Server` after it. */
  readonly close: (options?: CloseOptions) => Promise<void>;
}

/** Serves JSON-RPC over HTTP: `createServer(nodeListener(service)).listen(3000, "127.0.0.1")`. */
export function nodeListener(server: ProtocolServer, options?: StreamableOptions): NodeListener;
export function nodeListener(server: PlainServer, options?: HttpServerOptions): NodeListener;
export function nodeListener(server: PlainServer | ProtocolServer, options: StreamableOptions = {}): NodeListener {
  const endpoint = new Endpoint(resourceFor(server, options), options);
  return Object.assign(
    (request: NodeRequest, response: NodeResponse) => endpoint.accept(new NodeCarrier(request, response)),
    { close: (how?: CloseOptions) => endpoint.close(how) },
  );
}
