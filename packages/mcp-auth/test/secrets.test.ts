// What goes wrong is told without telling what is secret, even where the other side repeats all that it was sent.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { type TestContext, describe, test } from "node:test";
import { inspect } from "node:util";
import {
  type Provider,
  clientCredentials,
  enterpriseManaged,
  finishLogin,
  memoryStore,
  redirect,
  signingKey,
  withAuth,
  workloadIdentity,
} from "../src/index.ts";
import { verifyIntrospection, verifyJwt } from "../src/server/index.ts";
import { ask } from "./ask.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";
import type { Arrived, Reply } from "./site.ts";

const OPEN = new Set([
  "grant_type",
  "client_id",
  "redirect_uri",
  "resource",
  "scope",
  "client_assertion_type",
  "token_type_hint",
]);

/** What of a request is secret, as it went over the wire. */
const secretIn = ({ form, headers }: Arrived): string[] =>
  [
    ...[...form].filter(([name]) => !OPEN.has(name)).map(([, value]) => value),
    headers.authorization?.split(" ")[1] ?? "",
    String(headers.dpop ?? ""),
  ].filter((secret) => secret !== "");

/** A refusal that repeats what was secret in the request. */
function echo(request: Arrived): Reply {
  const all = secretIn(request);
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic !== undefined) all.push(atob(basic));
  return { status: 400, body: { error: "invalid_request", error_description: all.join(" ") } };
}

/** Everything that can be seen of an error, or of what was logged. */
const visible = (value: unknown): string =>
  inspect(value, { depth: 10, showHidden: true, getters: true, maxStringLength: null });

/** Runs work that must fail; gives all that can be seen of the failure and of what was logged. */
async function seenOf(t: TestContext, work: () => Promise<unknown>): Promise<string> {
  const logged: unknown[] = [];
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    t.mock.method(console, method, (...values: unknown[]) => logged.push(values));
  const error: unknown = await work().then(
    () => assert.fail("expected a failure"),
    (reason: unknown) => reason,
  );
  t.mock.restoreAll();
  assert.deepEqual(logged, []);
  return visible(error);
}

/** Everything of the requests that was secret, in plain and as it went over the wire. */
function secretsOf(issuer: Issuer, ...more: string[]): string[] {
  const asked = issuer.site.requests.filter(({ path }) => /^\/(token|revoke|introspect)$/.test(path));
  const sent = asked.flatMap(secretIn);
  const kept = [
    ...issuer.valid.keys(),
    ...issuer.refreshTokens.keys(),
    ...[...issuer.clients.values()].map(({ secret = "" }) => secret),
  ];
  return [...sent, ...kept, ...more].filter((secret) => secret !== "");
}

function assertHidden(seen: string, secrets: readonly string[]): void {
  assert.ok(secrets.length > 0);
  for (const secret of secrets) assert.ok(!seen.includes(secret), `${secret} is in ${seen}`);
}

const registered = (issuer: Issuer, more: object = {}) => ({
  registered: { issuer: issuer.issuer, id: "abc", secret: "s3cret-of-the-client", ...more },
});

describe("secrets are in no error and no log", () => {
  for (const [what, providerOf] of [
    ["a code", () => person()],
    ["a code, with a client secret", (issuer: Issuer) => ({ ...person(), client: registered(issuer) })],
    [
      "a code, with a client secret in the form",
      (issuer: Issuer) => ({ ...person(), client: registered(issuer, { method: "client_secret_post" }) }),
    ],
    ["a code, bound to a key", (issuer: Issuer) => ({ ...person(), dpop: true, client: registered(issuer) })],
    ["client credentials", (issuer: Issuer) => ({ flow: clientCredentials(), client: registered(issuer) })],
    [
      "a workload's assertion",
      (issuer: Issuer) => ({ flow: workloadIdentity(() => "workload-assertion"), client: registered(issuer) }),
    ],
  ] as [string, (issuer: Issuer) => Provider][])
    test(`a token endpoint that repeats ${what}`, async (t) => {
      const issuer = await Issuer.start(t, {
        first: (request) => (request.path === "/token" ? echo(request) : undefined),
      });
      const server = await resource(t, { issuer });
      const seen = await seenOf(t, () => withAuth(fetch, providerOf(issuer))(server.url));
      assert.match(seen, /AuthError: token, .*"invalid_request", ".*…/);
      assertHidden(seen, secretsOf(issuer));
    });

  test("a token endpoint that repeats an assertion of the client", async (t) => {
    const issuer = await Issuer.start(t, {
      first: (request) => (request.path === "/token" ? echo(request) : undefined),
    });
    const server = await resource(t, { issuer });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const jwk = privateKey.export({ format: "jwk" });
    const client = registered(issuer, { secret: undefined, key: await signingKey(jwk, "ES256") });
    const seen = await seenOf(t, () => withAuth(fetch, { flow: clientCredentials(), client })(server.url));
    assertHidden(seen, secretsOf(issuer, jwk.d ?? ""));
  });

  test("an identity provider that repeats an ID token", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const idp = await Issuer.start(t, { first: (request) => (request.path === "/token" ? echo(request) : undefined) });
    const client = { id: "desk", secret: "s3cret-at-the-idp" };
    const flow = enterpriseManaged({ issuer: idp.issuer, client }, () => ({ token: "id-token-of-alice" }));
    const seen = await seenOf(t, () => withAuth(fetch, { flow, client: registered(issuer) })(server.url));
    assertHidden(seen, [
      "id-token-of-alice",
      "s3cret-at-the-idp",
      btoa("desk:s3cret-at-the-idp"),
      "s3cret-of-the-client",
    ]);
  });

  test("a refresh and a revocation that are refused", async (t) => {
    let ill = false;
    const issuer = await Issuer.start(t, {
      refreshTokens: true,
      first: (request) => (ill && /token|revoke/.test(request.path) ? echo(request) : undefined),
    });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, { ...person(), client: registered(issuer) });
    await authorized(server.url);
    ill = true;
    const secrets = secretsOf(issuer);
    issuer.valid.clear();
    assertHidden(await seenOf(t, () => authorized(server.url)), [...secrets, ...secretsOf(issuer)]);
    assertHidden(await seenOf(t, () => authorized.logOut(server.url)), [...secrets, ...secretsOf(issuer)]);
  });

  test("a server that repeats the token in its challenge", async (t) => {
    for (const status of [401, 403]) {
      const issuer = await Issuer.start(t);
      const server = await resource(t, {
        issuer,
        first: ({ path, headers }) => {
          const token = headers.authorization?.split(" ")[1];
          if (path !== "/mcp" || token === undefined) return undefined;
          const error = status === 403 ? `insufficient_scope", scope="${token}` : token;
          return { status, headers: { "WWW-Authenticate": `Bearer error="${error}"` } };
        },
      });
      const seen = await seenOf(t, () => withAuth(fetch, person())(server.url));
      assertHidden(seen, secretsOf(issuer));
    }
  });

  test("an answer with tokens that can't be used", async (t) => {
    for (const tokens of [
      { token_type: "mac" },
      { token_type: "DPoP" },
      { token_type: "N_A" },
      { access_token: "" },
      { error: "odd" },
    ]) {
      const issuer = await Issuer.start(t, { refreshTokens: true, tokens });
      const server = await resource(t, { issuer });
      assertHidden(await seenOf(t, () => withAuth(fetch, person())(server.url)), secretsOf(issuer));
    }
  });

  test("a login that fails", async (t) => {
    for (const change of [
      (back: URL) => back.searchParams.set("iss", "https://evil.example.com"),
      (back: URL) => back.searchParams.set("state", "forged"),
    ]) {
      const issuer = await Issuer.start(t);
      const server = await resource(t, { issuer });
      let code = "";
      const seen = await seenOf(t, () =>
        withAuth(
          fetch,
          person((back) => {
            code = back.searchParams.get("code") ?? "";
            change(back);
          }),
        )(server.url),
      );
      assertHidden(seen, [code]);
    }
  });

  test("a login by a redirect that fails", async (t) => {
    const issuer = await Issuer.start(t, {
      first: (request) => (request.path === "/token" ? echo(request) : undefined),
    });
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const provider = { flow: redirect("https://app.example.com/callback"), store };
    const required: unknown = await withAuth(fetch, provider)(server.url).catch((error) => error);
    const { pending } = ((await store.get("logins")) as [{ pending: { verifier: string; state: string } }])[0];
    assertHidden(visible(required), [pending.verifier]);
    const { loginUrl } = required as { loginUrl: string };
    const back = (await fetch(loginUrl, { redirect: "manual" })).headers.get("location") ?? "";
    const code = new URL(back).searchParams.get("code") ?? "";
    assertHidden(await seenOf(t, () => finishLogin(provider, `${back}x`)), [code, pending.verifier]);
    assertHidden(await seenOf(t, () => finishLogin(provider, back)), [code, pending.verifier]);
    assertHidden(await seenOf(t, () => finishLogin(provider, back)), [code, pending.verifier]);
  });

  test("a verifier whose issuer repeats the token, and verdicts on tokens", async (t) => {
    const metadata: { introspection_endpoint?: string } = {};
    const issuer = await Issuer.start(t, {
      metadata,
      first: (request) => (request.path === "/introspect" ? echo(request) : undefined),
    });
    metadata.introspection_endpoint = `${issuer.site.origin}/introspect`;
    const audience = "https://mcp.example.com/mcp";
    const client = { id: "office", secret: "s3cret-of-the-server" };
    const opaque = verifyIntrospection({ issuer: issuer.issuer, audience, client });
    assertHidden(await seenOf(t, () => ask(opaque, "opaque-token")), [
      "opaque-token",
      ...secretsOf(issuer, client.secret),
    ]);
    const jwt = verifyJwt({ issuer: issuer.issuer, audience, jwks: { keys: [] } });
    const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl";
    assertHidden(visible(await ask(jwt, token)), [token, "c2lnbmF0dXJl"]);
  });
});
