import { type Batch, type Id, Invalid, type Message } from "@x/jsonrpc";
import type { HeaderFields } from "../header-fields.ts";
import type { HttpRequest } from "./carrier.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** Who makes a request. Whatever one principal has opened is never shown to another. */
export interface Auth {
  readonly principal: string;
  /** Judges each message of the body, by its method or its tool; one denial refuses the whole body. */
  readonly permit?: ((message: Message) => Denial | undefined) | undefined;
  /** Whatever else is known, such as scopes. Handlers see it as `context.info.auth`. */
  readonly [detail: string]: unknown;
}

/** Why nobody is let in: a status such as 401, and what goes with it. */
export interface Denial {
  readonly status: number;
  /** Such as `WWW-Authenticate`. */
  readonly headers?: HeaderFields | undefined;
  /** Text of the JSON-RPC error in the body. */
  readonly message?: string | undefined;
}

/** Called with each request before its body is read. Throwing is answered with 500, and reported. */
export type Verify = (request: HttpRequest) => Auth | Denial | Promise<Auth | Denial>;

/** Why a body may not be served to whoever asks. What is no message is for others to refuse. */
export function forbid(
  auth: Auth | undefined,
  body: Message | Batch | Invalid | readonly unknown[],
): Refusal | undefined {
  if (!auth?.permit) return undefined;
  for (const message of (Array.isArray(body) ? body : [body]) as readonly (Message | Invalid)[]) {
    if (message instanceof Invalid) continue;
    const denial = auth.permit(message);
    if (denial) return refusalOf(denial, "id" in message ? (message.id ?? undefined) : undefined);
  }
  return undefined;
}

export function refusalOf({ status, headers, message }: Denial, id?: Id): Refusal {
  const text = message ?? (status === 401 ? "Unauthorized" : "Forbidden");
  return { ...refusal(status, text, undefined, id), headers };
}

export const isDenial = (verdict: Auth | Denial): verdict is Denial => !("principal" in verdict);
