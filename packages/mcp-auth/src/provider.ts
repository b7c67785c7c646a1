import { type ClientDescription, registeredOf } from "./client/description.ts";
import type { Flow } from "./flow.ts";
import type { Store } from "./store.ts";
import type { Fetch } from "./fetch.ts";
import { Outside } from "./outside.ts";
import { Trust, type TrustOptions } from "./trust.ts";

/** How a client is authorized: by which flow, as whom, and where that is kept. */
export interface Provider extends TrustOptions {
  readonly flow: Flow;
  /** Default: memory. */
  readonly store?: Store | undefined;
  readonly client?: ClientDescription | undefined;
  /** Scopes to ask for besides those that the server wants: "a b". */
  readonly scope?: string | undefined;
  /** Whether tokens are bound to a key (RFC 9449); default: where the server asks for it. */
  readonly dpop?: boolean | undefined;
  /** ms for each request to an authorization server (default 30,000). */
  readonly timeout?: number | undefined;
}

/** What a provider's requests about a server go through. The issuers of its clients were chosen by somebody. */
export function outsideOf(provider: Provider, server: URL, fetch: Fetch): Outside {
  const { allow = [], check, client = {}, timeout } = provider;
  const chosen = registeredOf(client).map(({ issuer }) => new URL(issuer).host);
  return new Outside(fetch, new Trust(server, { allow: [...allow, ...chosen], check }), timeout);
}

/** Throws a TypeError for what can't work with any server. */
export function checked(provider: Provider): Provider {
  const { metadataUrl } = provider.client ?? {};
  if (metadataUrl !== undefined && !/^https:\/\/[^/?#]+\/[^#]+$/.test(metadataUrl))
    throw new TypeError(`client.metadataUrl must be an https: URL with a path, got ${metadataUrl}`);
  for (const { issuer, key, secret, method } of registeredOf(provider.client ?? {})) {
    if (!URL.canParse(issuer)) throw new TypeError(`The issuer of a client must be a URL, got ${issuer}`);
    const lacks = method === "private_key_jwt" ? !key : method?.startsWith("client_secret") && secret === undefined;
    if (lacks) throw new TypeError(`The client for ${issuer} has the method ${method}, but not what that needs`);
  }
  return provider;
}
