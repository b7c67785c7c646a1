// Whatever servers send, a request ends with an answer or an AuthError.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { AuthError, authorizationCode, withAuth } from "../src/index.ts";
import { verifyJwt } from "../src/server/index.ts";
import { request, turnedAway } from "./ask.ts";
import { signer } from "./keys.ts";

const SERVER = "https://mcp.example.com/mcp";
const ISSUER = "https://as.example.com";

type Document = { readonly [member: string]: unknown };

interface World {
  readonly resource: Document;
  readonly issuer: Document;
  readonly registration: Document;
  readonly tokens: Document;
}

const GOOD: World = {
  resource: { resource: SERVER, authorization_servers: [ISSUER], scopes_supported: ["a"] },
  issuer: {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    registration_endpoint: `${ISSUER}/register`,
    revocation_endpoint: `${ISSUER}/revoke`,
    scopes_supported: ["a"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: false,
    dpop_signing_alg_values_supported: ["ES256"],
  },
  registration: {
    client_id: "abc",
    client_secret: "secret",
    client_secret_expires_at: 0,
    token_endpoint_auth_method: "none",
    redirect_uris: ["http://127.0.0.1/callback"],
  },
  tokens: { access_token: "good", token_type: "Bearer", expires_in: 60, refresh_token: "again", scope: "a" },
};

const send = (document: Document, raw?: string): Response =>
  raw === undefined ? Response.json(document) : new Response(raw);

/** Both servers, in this process. */
function fetchIn(world: World, raw?: string): typeof fetch {
  return async (input, init) => {
    const { origin, pathname } = new URL(String(input));
    if (pathname === "/mcp") {
      const bound = new Headers(init?.headers).get("authorization") === "Bearer good";
      return new Response(null, { status: bound ? 200 : 401, headers: { "WWW-Authenticate": "Bearer" } });
    }
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) return send(world.resource, raw);
    if (pathname.startsWith("/.well-known/")) return send(world.issuer, raw);
    if (pathname === "/register" && origin === ISSUER) return send(world.registration, raw);
    if (pathname === "/token" && origin === ISSUER) return send(world.tokens, raw);
    return new Response(null, { status: 404 });
  };
}

const flow = authorizationCode(() => ({
  redirectUri: "http://127.0.0.1/callback",
  visit: async (page, state) =>
    `http://127.0.0.1/callback?${new URLSearchParams({ code: "x", state, iss: ISSUER }).toString()}`,
}));

async function endsWell(world: World, raw?: string): Promise<number | string> {
  try {
    return (await withAuth(fetchIn(world, raw), { flow, timeout: 2000 })(SERVER)).status;
  } catch (error) {
    if (AuthError.is(error)) return error.step;
    throw error;
  }
}

describe("bad input", () => {
  test("without any of it the request is served", async () => assert.equal(await endsWell(GOOD), 200));

  for (const name of Object.keys(GOOD) as (keyof World)[])
    test(`any value of any member of the ${name}`, async () => {
      const odd = fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.webUrl(),
        fc.constantFrom(
          undefined,
          "",
          " ",
          "\u0000",
          "__proto__",
          "javascript:alert(1)",
          "//x",
          -1,
          1e308,
          [null],
          [[]],
        ),
      );
      const member = fc.constantFrom(...Object.keys(GOOD[name]), "error", "error_description", "__proto__");
      const run = fc.asyncProperty(member, odd, async (key, value) => {
        await endsWell({ ...GOOD, [name]: { ...GOOD[name], [key]: value } });
      });
      await fc.assert(run, { numRuns: 150 });
    });

  test("any text in place of a document", async () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom("null", "[]", "7", '""', "{", "a=b", "<html>", "\uFEFF{}"),
    );
    await fc.assert(
      fc.asyncProperty(text, async (raw) => assert.equal(typeof (await endsWell(GOOD, raw)), "string")),
      { numRuns: 150 },
    );
  });

  test("any challenge", async () => {
    const challenge = fc.stringMatching(/^[\x20-\x7e]{0,80}$/);
    const run = fc.asyncProperty(challenge, fc.constantFrom(401, 403), async (header, status) => {
      const world = fetchIn(GOOD);
      const challenging: typeof fetch = async (input, init) =>
        String(input) === SERVER
          ? new Response(null, { status, headers: { "WWW-Authenticate": `Bearer ${header}` } })
          : await world(input, init);
      const outcome = await withAuth(challenging, { flow })(SERVER).catch((error: unknown) => error);
      assert.ok(outcome instanceof Response || AuthError.is(outcome), String(outcome));
    });
    await fc.assert(run, { numRuns: 150 });
  });

  test("any address to which a person comes back", async () => {
    const run = fc.asyncProperty(
      fc.dictionary(fc.constantFrom("code", "state", "iss", "error", "response", "x"), fc.string()),
      async (query) => {
        const strange = authorizationCode(() => ({
          redirectUri: "http://127.0.0.1/callback",
          visit: async () => `http://127.0.0.1/callback?${new URLSearchParams(query).toString()}`,
        }));
        const outcome = await withAuth(fetchIn(GOOD), { flow: strange })(SERVER).catch((error: unknown) => error);
        assert.ok(AuthError.is(outcome) && outcome.step === "authorization", String(outcome));
      },
    );
    await fc.assert(run, { numRuns: 150 });
  });

  test("any credentials, and any proof, before any server", async () => {
    const { jwk } = await signer("one");
    const keys = { keys: [{ ...jwk }] };
    const audience = SERVER;
    const jwt = fc
      .tuple(fc.json(), fc.json())
      .map((parts) => `${parts.map((part) => Buffer.from(part).toString("base64url")).join(".")}.AAAA`);
    const header = fc.oneof(
      fc.string(),
      jwt,
      fc.string().map((text) => `Bearer ${text}`),
      jwt.map((token) => `Bearer ${token}`),
      jwt.map((token) => `DPoP ${token}`),
    );
    const run = fc.asyncProperty(
      header,
      header,
      fc.string(),
      fc.boolean(),
      async (authorization, dpop, target, bound) => {
        const { verify } = verifyJwt({ issuer: ISSUER, audience, jwks: keys, dpop: bound });
        const verdict = await verify(request({ authorization, dpop }, `/mcp${target}`));
        turnedAway(verdict);
        assert.ok(verdict.status === 401 || verdict.status === 400);
        for (const value of Object.values(verdict.headers)) assert.match(value, /^[\x20-\x7e]+$/);
      },
    );
    await fc.assert(run, { numRuns: 300 });
  });

  test("any claims in a token that is good otherwise", async () => {
    const key = await signer("one");
    const keys = { keys: [{ ...key.jwk }] };
    const { verify } = verifyJwt({ issuer: ISSUER, audience: SERVER, jwks: keys, scopes: [] });
    const claims = fc.dictionary(
      fc.constantFrom("sub", "client_id", "scope", "scp", "exp", "nbf", "cnf", "aud", "x"),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const run = fc.asyncProperty(claims, async (odd) => {
      const exp = Math.floor(Date.now() / 1000) + 60;
      const token = await key.sign({ iss: ISSUER, aud: SERVER, sub: "alice", exp, ...odd });
      const verdict = await verify(request({ authorization: `Bearer ${token}` }));
      assert.ok("principal" in verdict ? verdict.principal !== "" : [401, 403].includes(verdict.status));
    });
    await fc.assert(run, { numRuns: 200 });
  });
});
