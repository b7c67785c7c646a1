import { type ClientAuth, ClientSecretPost, None, PrivateKeyJwt } from "oauth4webapi";
import type { AuthorizationServer } from "../discovery/authorization-server.ts";
import type { Client } from "./client.ts";
import type { AuthMethod, SigningKey } from "./description.ts";

/** The method for a client that has no other say in it: one that the server takes (RFC 8414: Basic if it says nothing). */
export function methodFor(
  client: { readonly secret?: string | undefined; readonly key?: SigningKey | undefined },
  { tokenAuthMethods = ["client_secret_basic"] }: Pick<AuthorizationServer, "tokenAuthMethods">,
): AuthMethod {
  if (client.key !== undefined) return "private_key_jwt";
  if (client.secret === undefined) return "none";
  const post = tokenAuthMethods.includes("client_secret_post") && !tokenAuthMethods.includes("client_secret_basic");
  return post ? "client_secret_post" : "client_secret_basic";
}

/** Adds to a request for a token what shows who asks. */
export const authenticate = (client: Client): ClientAuth => METHODS[client.method](client);

const METHODS: { readonly [method in AuthMethod]: (client: Client) => ClientAuth } = {
  none: () => None(),
  client_secret_basic: ({ secret = "" }) => basic(secret),
  client_secret_post: ({ secret = "" }) => ClientSecretPost(secret),
  private_key_jwt({ key }) {
    if (!key) throw new TypeError('A client with the method "private_key_jwt" needs a key');
    return PrivateKeyJwt(key.kid === undefined ? key.key : { key: key.key, kid: key.kid });
  },
};

/**
 * RFC 6749 section 2.3.1, but leaves alone what the form encoding leaves alone: many servers don't decode, and then read
 * "a%2Db" where the client is "a-b".
 */
function basic(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set("Authorization", `Basic ${btoa(`${encode(client_id)}:${encode(secret)}`)}`);
  };
}

const encode = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
