/** A key of Web Crypto, by whatever name the runtime's types have it. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** A key as JSON (RFC 7517). */
export interface Jwk {
  readonly kty?: string;
  readonly [member: string]: unknown;
}
