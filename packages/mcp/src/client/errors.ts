import { RpcError } from "@x/jsonrpc";
import type { CallToolResult } from "../model/tools.ts";

/** Client and server have no revision in common. */
export class VersionError extends Error {
  override name = "VersionError";
  /** What the server speaks, as far as it said. */
  readonly supported: readonly string[];

  constructor(message: string, supported: readonly string[]) {
    super(message);
    this.supported = supported;
  }
}

/** The server did not declare what a call needs; nothing was sent. */
export class CapabilityError extends Error {
  override name = "CapabilityError";
  readonly capability: string;

  constructor(method: string, capability: string) {
    super(`"${method}" was not sent: the server does not declare the capability "${capability}"`);
    this.capability = capability;
  }
}

/** There is no such resource, in whichever way a revision says so; `data.uri` is the one that was asked for. */
export class ResourceNotFoundError extends RpcError<{ readonly uri: string }> {
  override name = "ResourceNotFoundError";

  constructor(uri: string, cause: RpcError) {
    super(cause.code, cause.message, { uri }, { cause });
  }
}

/** A tool has run, and answered with what its output schema refuses. */
export class OutputError extends Error {
  override name = "OutputError";
  readonly tool: string;
  /** What it answered. */
  readonly result: CallToolResult;

  constructor(tool: string, what: string, result: CallToolResult, options?: { cause?: unknown }) {
    super(`tool "${tool}" answered ${what}`, options);
    this.tool = tool;
    this.result = result;
  }
}
