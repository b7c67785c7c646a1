import type { TokenAuth } from "./request.ts";

/** What the verifier knows of who makes a request: `authOf(context.info)`; undefined where none has seen the request. */
export function authOf(info: { readonly [name: string]: unknown }): TokenAuth | undefined {
  const auth = info["auth"] as Partial<TokenAuth> | undefined;
  return typeof auth?.permit === "function" && auth.scopes ? (auth as TokenAuth) : undefined;
}
