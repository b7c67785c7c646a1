// For everyone: peers, services, contracts, errors.
export { type Peer, type PeerOptions, createPeer } from "./peer.ts";
export { type Handlers, Service, type ServiceOptions, implement } from "./service.ts";
export type { Arguments, HandledOf, Method, MethodOf, ParamsOf, ResultOf, Untyped } from "./contract.ts";
export type { Call, CallOptions, Caller, Context, Dispatcher, Environment, Handler, Middleware } from "./handler.ts";
export { compose } from "./handler.ts";
export type { BatchBuilder, BatchResults } from "./batch.ts";
export type { Outgoing } from "./outgoing.ts";
export type { ErrorOrigin, Report } from "./report.ts";
export {
  AbortError,
  type AnyErrorType,
  ClosedError,
  type ErrorType,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  InvalidResponseError,
  type Layer,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RpcError,
  SERVER_ERROR,
  TimeoutError,
  errorType,
  layerOf,
} from "./errors.ts";

// For protocols on top: what they do differently from JSON-RPC as it is written.
export { type CancelProfile, type Profile, type ProgressProfile, base } from "./profile.ts";

// For transports: messages, text, the contract.
export type { Info, Receive, SendOptions, Transport } from "./transport.ts";
export { memoryPair } from "./memory.ts";
export type { InboundOptions } from "./inbound.ts";
export { Exchange, type ExchangeOptions, type Way } from "./exchange.ts";
export { Responder, type ResponderOptions } from "./responder.ts";
export {
  type Batch,
  type ErrorObject,
  type Failure,
  type Id,
  type Kind,
  type Message,
  type Notification,
  type Params,
  type Request,
  type Response,
  type Success,
  isFailure,
  isNotification,
  isRequest,
  isResponse,
  isSuccess,
  kindOf,
} from "./message.ts";
export { reasonFor } from "./reason.ts";
export { Invalid, type InvalidDetails, type Meant } from "./invalid.ts";
export { type Incoming, parse, preserialize, stringify } from "./wire.ts";
