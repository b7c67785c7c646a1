import { type ErrorType, RpcError, errorType } from "@x/jsonrpc";
import type { ClientCapabilities } from "./model/capabilities.ts";
import type { ElicitUrlParams } from "./model/elicitation.ts";

/** A mirrored header is missing or contradicts the body (2026-07-28, HTTP 400). */
export const HEADER_MISMATCH = -32020;
/** The request needs a capability that the client did not declare with it (2026-07-28, HTTP 400). */
export const MISSING_CLIENT_CAPABILITY = -32021;
/** The protocol version is not served here (2026-07-28, HTTP 400). */
export const UNSUPPORTED_PROTOCOL_VERSION = -32022;

/** There is no such resource, until 2025-11-25. */
export const RESOURCE_NOT_FOUND = -32002;
/** A person has to open an address before the call can go on (2025-11-25). */
export const URL_ELICITATION_REQUIRED = -32042;

/** `data.requiredCapabilities` is what the client would have to declare. */
const MissingClientCapabilityBase: ErrorType<{ requiredCapabilities: ClientCapabilities }> = /* @__PURE__ */ errorType(
  MISSING_CLIENT_CAPABILITY,
  "The client lacks a capability that this request needs",
);
export class MissingClientCapabilityError extends MissingClientCapabilityBase {}

const UNSUPPORTED = "Unsupported protocol version";

/** `data.supported` lists the versions that can be asked for. */
const UnsupportedProtocolVersionBase: ErrorType<{ supported: readonly string[]; requested: string }> =
  /* @__PURE__ */ errorType(UNSUPPORTED_PROTOCOL_VERSION, UNSUPPORTED);
export class UnsupportedProtocolVersionError extends UnsupportedProtocolVersionBase {}

/** The same as a server answers it: only whoever receives it needs a class. */
export const unsupportedVersion = (supported: readonly string[], requested: unknown): RpcError =>
  new RpcError(UNSUPPORTED_PROTOCOL_VERSION, UNSUPPORTED, { supported, requested: String(requested) });

/**
 * `data.elicitations` lists all that a person has to open before the call is made again. A tool may throw it in every
 * revision: clients of others than 2025-11-25 get a result with `isError` that says so in words. `context.elicitUrl`
 * asks without giving the call up.
 */
const UrlElicitationRequiredBase: ErrorType<{
  elicitations: readonly (ElicitUrlParams & { readonly elicitationId: string })[];
}> = /* @__PURE__ */ errorType(URL_ELICITATION_REQUIRED, "Something has to be opened in a browser first");
export class UrlElicitationRequiredError extends UrlElicitationRequiredBase {}
