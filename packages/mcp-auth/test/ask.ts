import assert from "node:assert/strict";
import type { Denial, Protection, TokenAuth, VerifiedRequest } from "../src/server/index.ts";

/** A request for the `verify` hook. */
export function request(
  headers: { readonly [name: string]: string } = {},
  target = "/mcp",
  method = "POST",
): VerifiedRequest {
  return { method, target, header: (name) => headers[name] };
}

/** What a protection says to a token, or to none. */
export const ask = ({ verify }: Protection, token?: string): Promise<TokenAuth | Denial> =>
  verify(request(token === undefined ? {} : { authorization: `Bearer ${token}` }));

export function letIn(verdict: TokenAuth | Denial | undefined): asserts verdict is TokenAuth {
  assert.ok(verdict && "principal" in verdict, JSON.stringify(verdict));
}

export function turnedAway(verdict: TokenAuth | Denial | undefined): asserts verdict is Denial {
  assert.ok(verdict && "status" in verdict, JSON.stringify(verdict));
}

export const challengeOf = (verdict: TokenAuth | Denial | undefined): string | undefined => {
  turnedAway(verdict);
  return verdict.headers["WWW-Authenticate"];
};
