import type { ClientDescription } from "./description.ts";

/**
 * The document to be served at a client's `metadataUrl` (client registration, "Client ID Metadata Documents"). `jwks` has
 * the public half of its key, if it has one.
 */
export function clientDocument(
  { name, metadataUrl, key, metadata }: ClientDescription & { readonly metadataUrl: string; readonly name: string },
  redirectUris: readonly string[],
  jwks?: { readonly keys: readonly unknown[] },
): { readonly [member: string]: unknown } {
  return {
    ...metadata,
    client_id: metadataUrl,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: key ? "private_key_jwt" : "none",
    ...(jwks && { jwks }),
  };
}
