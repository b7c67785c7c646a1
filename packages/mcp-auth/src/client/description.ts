import type { Key } from "../key.ts";

/** How a token endpoint is shown who asks (RFC 7591 section 2). */
export type AuthMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** A private key that can sign, as `signingKey` or Web Crypto gives it. */
export interface SigningKey {
  readonly key: Key;
  /** By which the authorization server finds the public half. */
  readonly kid?: string | undefined;
}

/** A client that an authorization server knows. */
export interface RegisteredClient {
  /** The server that knows it. Its id, secret and assertions are shown to no other. */
  readonly issuer: string;
  readonly id: string;
  readonly secret?: string | undefined;
  readonly key?: SigningKey | undefined;
  /** Default: what fits the secret or key, and the server. */
  readonly method?: AuthMethod | undefined;
}

/** Who the client is, and how authorization servers come to know it: the first of these ways that one offers is taken. */
export interface ClientDescription {
  /** Shown to people. */
  readonly name?: string | undefined;
  /** Known beforehand. With one that is for another issuer, authorization fails; a list has one for each issuer. */
  readonly registered?: RegisteredClient | readonly RegisteredClient[] | undefined;
  /** Where its metadata document is: https, with a path (client registration, "Client ID Metadata Documents"). */
  readonly metadataUrl?: string | undefined;
  /** For `private_key_jwt`, if the metadata document says so. */
  readonly key?: SigningKey | undefined;
  /** Whether it registers itself where servers let it (default: true without `registered`). */
  readonly register?: boolean | undefined;
  /** More members for that registration, such as `client_uri`, `logo_uri`, `software_id` (RFC 7591 section 2). */
  readonly metadata?: { readonly [member: string]: unknown } | undefined;
}

/** The clients that are known beforehand. */
export function registeredOf({ registered = [] }: ClientDescription): readonly RegisteredClient[] {
  return Array.isArray(registered) ? registered : [registered as RegisteredClient];
}
