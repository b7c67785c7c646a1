import type { ErrorObject, Id, Params, Request } from "./message.ts";

/** Which notification cancels a request, and what becomes of the request. */
export interface CancelProfile {
  readonly method: string;
  /** Parameters of the notification that cancels the request `id`. */
  params(id: Id, reason: string | undefined): Params;
  /** The id in such parameters; undefined when they name none. */
  id(params: Params | undefined): Id | undefined;
  /** The reason in such parameters, for `signal.reason`. */
  reason?(params: Params | undefined): string | undefined;
  /** Set where a cancelled request is still answered: the error for one whose handler gave up. */
  readonly answer?: ErrorObject;
  /** Methods whose requests are never cancelled. */
  readonly except?: readonly string[];
}

/** Which notification reports progress, and how a request asks for it. */
export interface ProgressProfile {
  readonly method: string;
  /** The request's parameters with the token in them. */
  attach(params: Params | undefined, token: Id): Params;
  /** The token in the notification's parameters. */
  token(params: Params | undefined): Id | undefined;
}

/** What protocols that use JSON-RPC disagree on, as one value. */
export interface Profile {
  /** May messages travel in batches? */
  readonly batches: boolean;
  /** Does a repeated request take a new id (default: no)? With the same id the other side can recognise it. */
  readonly freshIds?: boolean;
  /** Why a well-formed request is refused (-32600), such as a null id; undefined to accept it. */
  refuse?(request: Request): string | undefined;
  readonly cancel?: CancelProfile;
  readonly progress?: ProgressProfile;
}

/** JSON-RPC 2.0 as it is written: null ids and batches allowed, no cancelling, no progress. */
export const base: Profile = { batches: true };
