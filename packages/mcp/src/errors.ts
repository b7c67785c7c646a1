import { type ErrorType, errorType } from "@x/jsonrpc";
import type { ClientCapabilities } from "./model/capabilities.ts";

/** A mirrored header is missing or contradicts the body (2026-07-28, HTTP 400). */
export const HEADER_MISMATCH = -32020;
/** The request needs a capability that the client did not declare with it (2026-07-28, HTTP 400). */
export const MISSING_CLIENT_CAPABILITY = -32021;
/** The protocol version is not served here (2026-07-28, HTTP 400). */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** `data.requiredCapabilities` is what the client would have to declare. */
const MissingClientCapabilityBase: ErrorType<{ requiredCapabilities: ClientCapabilities }> = errorType(
  MISSING_CLIENT_CAPABILITY,
  "The client lacks a capability that this request needs",
);
export class MissingClientCapabilityError extends MissingClientCapabilityBase {}

/** `data.supported` lists the versions that can be asked for. */
const UnsupportedProtocolVersionBase: ErrorType<{ supported: readonly string[]; requested: string }> = errorType(
  UNSUPPORTED_PROTOCOL_VERSION,
  "Unsupported protocol version",
);
export class UnsupportedProtocolVersionError extends UnsupportedProtocolVersionBase {}
