// Protection by the usual kinds of tokens.
export { type JwtOptions, verifyJwt } from "./verify-jwt.ts";
export { type IntrospectionOptions, verifyIntrospection } from "./verify-introspection.ts";
export type { ScopeOptions } from "./scopes.ts";

// For handlers.
export { authOf } from "./auth-of.ts";

// For tokens of one's own.
export { type ProtectOptions, type Protection, protect } from "./protect.ts";
export type { CheckToken, Token, TokenFault } from "./token.ts";

// What requests and answers look like.
export type { Denial, TokenAuth, VerifiedRequest } from "./request.ts";
