import type { Fetch } from "../fetch.ts";
import type { ProtectOptions } from "./protect.ts";

/** What verifiers of every kind of token have. */
export interface VerifierOptions extends Omit<ProtectOptions, "resource" | "check"> {
  /** Whom tokens must be for; with several, one of them. */
  readonly audience: string | readonly string[];
  /** The address of the endpoint, as clients know it (default: `audience`). */
  readonly resource?: string | undefined;
  /** Sends requests to the issuer (default: the global `fetch`). */
  readonly fetch?: Fetch | undefined;
}

/** The address of the endpoint. */
export function resourceOf({ resource, audience }: VerifierOptions): string {
  const address = resource ?? audience;
  if (typeof address === "string" && /^https?:/i.test(address)) return address;
  throw new TypeError("Where audience is not the address of the server, resource has to be");
}

export const audiencesOf = ({ audience }: VerifierOptions): string[] =>
  typeof audience === "string" ? [audience] : [...audience];
