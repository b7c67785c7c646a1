// Servers.
export { type FetchHandler, fetchHandler } from "./server/fetch.ts";
export { type CloseOptions, type NodeListener, nodeListener } from "./server/node.ts";
export type { NodeRequest, NodeResponse } from "./server/node-types.ts";
export type { HttpServerOptions, SessionOptions, StreamableOptions } from "./server/options.ts";
export type { Allowed } from "./server/hosts.ts";
export type { HttpRequest } from "./server/carrier.ts";
export type { HttpInfo } from "./server/info.ts";
export type { Auth, Denial, Verify } from "./server/verify.ts";
export { type EventStore, type MemoryEventsOptions, type StoredEvent, memoryEvents } from "./server/events.ts";

// For both.
export type { HeaderFields } from "./header-fields.ts";

// For protocols on top of JSON-RPC.
export type { Carriage, Connection, PlainServer, Protocol, ProtocolServer, SingleExchange } from "./server/protocol.ts";
export type { Refusal } from "./server/refusal.ts";

// Clients.
export { type HttpTransport, http } from "./client/http.ts";
export type { Fetch, HttpOptions, ReconnectOptions } from "./client/options.ts";
export { HttpError, SessionError, StreamError } from "./client/errors.ts";
export type { ClientProtocol, Passage } from "./client/protocol.ts";
