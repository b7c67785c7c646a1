import type { HeaderFields, HttpRequest } from "./carrier.ts";

/** Who makes a request. Whatever one principal has opened is never shown to another. */
export interface Auth {
  readonly principal: string;
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

export const isDenial = (verdict: Auth | Denial): verdict is Denial => !("principal" in verdict);
