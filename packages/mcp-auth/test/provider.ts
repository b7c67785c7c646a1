import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** How the tokens for a resource are. */
export interface Tokens {
  readonly format: "jwt" | "opaque";
  /** Seconds. */
  readonly life: number;
  readonly scopes: string;
}

/** A client that it knows beforehand. */
export type KnownClient = { readonly client_id: string; readonly [member: string]: unknown };

/** An authorization server of the real world, until the test ends; gives its issuer. */
export async function startProvider(
  t: TestContext,
  tokens: Tokens,
  clients: readonly KnownClient[] = [],
): Promise<string> {
  const server = createServer();
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = await quietly(
    async () =>
      new (await import("oidc-provider")).default(issuer, {
        clients,
        jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "key", use: "sig", alg: "RS256" }] },
        cookies: { keys: [randomBytes(16).toString("hex")] },
        pkce: { required: () => true },
        rotateRefreshToken: true,
        findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
        ttl: {
          AccessToken: tokens.life,
          ClientCredentials: tokens.life,
          RefreshToken: 3600,
          Session: 3600,
          Grant: 3600,
          Interaction: 600,
        },
        features: {
          registration: { enabled: true },
          revocation: { enabled: true, allowedPolicy: () => true },
          introspection: { enabled: true, allowedPolicy: () => true },
          clientCredentials: { enabled: true },
          dPoP: { enabled: true, nonceSecret: randomBytes(32), requireNonce: () => true },
          resourceIndicators: {
            enabled: true,
            useGrantedResource: () => true,
            getResourceServerInfo: (_context: unknown, resource: string) => ({
              scope: tokens.scopes,
              audience: resource,
              accessTokenTTL: tokens.life,
              accessTokenFormat: tokens.format,
            }),
          },
        },
      }),
  );
  const answer = provider.callback();
  server.on("request", (request, response) => void answer(request, response));
  return issuer;
}

/** It says at length that its pages for logging in are for tests, and what version of Node it is made for. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console;
  console.info = console.warn = () => {};
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}
