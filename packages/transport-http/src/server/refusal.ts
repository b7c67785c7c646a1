import { type ErrorObject, INTERNAL_ERROR, INVALID_REQUEST, type Id } from "@x/jsonrpc";
import type { HeaderFields } from "../header-fields.ts";
import type { Carrier } from "./carrier.ts";

/** An HTTP request that is not served: the status, and what the JSON-RPC error in the body says. */
export interface Refusal {
  readonly status: number;
  readonly error: ErrorObject;
  /** Of the request in the body, where it could be read. */
  readonly id?: Id | undefined;
  readonly headers?: HeaderFields | undefined;
}

/** A refusal of the HTTP request itself: its error is -32600 unless told otherwise. */
export function refusal(status: number, message: string, code: number = INVALID_REQUEST, id?: Id): Refusal {
  return { status, error: { code, message }, id };
}

export const JSON_TYPE = "application/json";

/** Sends a refusal. `unread` is the id for a request that could not be read: null, or none at all. */
export function refuse(carrier: Carrier, { status, error, id, headers }: Refusal, unread: null | undefined): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id: id ?? unread, error });
  carrier.answer(status, { ...headers, "Content-Type": JSON_TYPE }, body);
}

export const notAllowed = (method: string, allowed: string): Refusal => ({
  ...refusal(405, `${method} is not served here, only ${allowed}`),
  headers: { Allow: allowed },
});

/** For one event stream more than there may be. */
export const TOO_MANY_STREAMS: Refusal = refusal(503, "Too many event streams are open", INTERNAL_ERROR);

export const TOO_MANY_SESSIONS: Refusal = refusal(503, "Too many sessions are open", INTERNAL_ERROR);

/** For a call that was not answered when the server closed. */
export const STORE_AWAY: Refusal = refusal(503, "What was missed can't be had at the moment", INTERNAL_ERROR);

export const CLOSED: Refusal = refusal(503, "The server has closed", INTERNAL_ERROR);

/** For what a request needs and could not be loaded: a file that is missing. */
export const NOT_LOADED: Refusal = refusal(500, "The server could not be loaded", INTERNAL_ERROR);
