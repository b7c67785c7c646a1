import type { CallOptions } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Meta } from "../model/meta.ts";
import type { Progress } from "../model/progress.ts";
import type { Revision } from "../revisions/index.ts";
import { CapabilityError } from "./errors.ts";

export interface RequestOptions extends Omit<CallOptions, "onProgress"> {
  /** Hears of the server's progress on this call. */
  readonly onProgress?: ((progress: Progress) => unknown) | undefined;
  /** Further `_meta` of the request. */
  readonly meta?: Meta | undefined;
  /** Headers of this request alone, over HTTP. */
  readonly headers?: { readonly [name: string]: string } | undefined;
}

export interface ReadOptions extends RequestOptions {
  /** Asks the server also where an answer is kept that it called fresh. */
  readonly fresh?: boolean | undefined;
}

/** What a feature needs of its client. */
export interface Requester {
  readonly revision: Revision;
  readonly capabilities: ServerCapabilities;
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>;
}

/** A result, which is an object in any case. Throws where the server has answered with something else. */
export function resultIn(answer: unknown, method: string): object {
  if (typeof answer === "object" && answer !== null) return answer;
  throw new Error(`The server answered "${method}" with ${JSON.stringify(answer)}, which is no result`);
}

/** Throws a CapabilityError where the server doesn't declare what a method needs, as far as its revision lets it. */
export function need(
  { capabilities, revision }: Pick<Requester, "capabilities" | "revision">,
  capability: keyof ServerCapabilities,
  method: string,
): void {
  if (!capabilities[capability] && !revision.undeclared.has(capability)) throw new CapabilityError(method, capability);
}
