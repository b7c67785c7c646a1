import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withAuth } from "../src/index.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

const asked = (issuer: Issuer): (string | null)[] =>
  issuer.authorizationRequests.map((request) => request.get("scope"));

const named = (scope: string) => (origin: string) =>
  `Bearer scope="${scope}", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;

describe("scopes of the first request", () => {
  test("AUTH-64, AUTH-65, AUTH-66: are those of the challenge, whatever the metadata has", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      challenge: named("a b"),
      metadata: () => ({ scopes_supported: ["c"] }),
    });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.deepEqual(asked(issuer), ["a b"]);
  });

  test("AUTH-66: are else all of the metadata", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, metadata: () => ({ scopes_supported: ["a", "b"] }) });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.deepEqual(asked(issuer), ["a b"]);
  });

  test("AUTH-66: are else left out", async (t) => {
    const issuer = await Issuer.start(t, { metadata: { scopes_supported: ["offline_access", "a"] } });
    const server = await resource(t, { issuer });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.deepEqual(asked(issuer), [null]);
  });

  test("are joined by those that the provider wants", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, challenge: named("a b") });
    assert.equal((await withAuth(fetch, { ...person(), scope: "openid a" })(server.url)).status, 200);
    assert.deepEqual(asked(issuer), ["openid a b"]);
  });

  for (const [supported, scope, prompt] of [
    [["a", "offline_access"], "a offline_access", "consent"],
    [["a"], "a", null],
    [undefined, "a", null],
  ] as const)
    test(`AUTH-88: have offline_access only if the issuer has: ${supported?.join(" ")}`, async (t) => {
      const issuer = await Issuer.start(t, { metadata: { scopes_supported: supported } });
      const server = await resource(t, { issuer, challenge: named("a") });
      assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
      assert.deepEqual(asked(issuer), [scope]);
      assert.equal(issuer.authorizationRequests[0]?.get("prompt"), prompt);
    });
});

const needs = (body: string): string[] => (body === "" ? [] : body.split(" "));

describe("step-up", () => {
  test("AUTH-73, AUTH-74, L08: asks for the union, without a refresh first", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer, challenge: named("a"), needs });
    const authorized = withAuth(fetch, person());
    assert.equal((await authorized(server.url, { method: "POST", body: "a" })).status, 200);
    assert.equal((await authorized(server.url, { method: "POST", body: "b" })).status, 200);
    assert.deepEqual(asked(issuer), ["a", "a b"]);
    assert.deepEqual(
      issuer.tokenRequests.map((form) => form.get("grant_type")),
      ["authorization_code", "authorization_code"],
    );
  });

  test("AUTH-74, L09: what was asked for stays, so that operations don't take turns", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, challenge: () => "Bearer", needs });
    const authorized = withAuth(fetch, person());
    for (const body of ["a", "b", "a", "b", "a b"])
      assert.equal((await authorized(server.url, { method: "POST", body })).status, 200);
    assert.deepEqual(asked(issuer), [null, "a", "a b"]);
  });

  test("AUTH-75: an endless 403 ends after one step, and is not repeated by the next request", async (t) => {
    const issuer = await Issuer.start(t, { first: () => undefined, tokens: { scope: "" } });
    const header = 'Bearer error="insufficient_scope", scope="b"';
    const server = await resource(t, {
      issuer,
      first: ({ path, headers }) =>
        path === "/mcp" && headers.authorization ? { status: 403, headers: { "WWW-Authenticate": header } } : undefined,
    });
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow });
    for (let count = 0; count < 3; count++)
      await assert.rejects(authorized(server.url), {
        step: "request",
        code: "insufficient_scope",
        message: `request, ${server.url}: expected to be let in with the scope "b", got status 403, which wants "b"`,
      });
    assert.equal(visits.length, 2);
  });

  test("AUTH-75: a server that wants something else each time is refused after a few", async (t) => {
    const issuer = await Issuer.start(t);
    let count = 0;
    const server = await resource(t, {
      issuer,
      first: ({ path, headers }) =>
        path === "/mcp" && headers.authorization
          ? { status: 403, headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="s${count++}"` } }
          : undefined,
    });
    const { flow, visits } = person();
    await assert.rejects(withAuth(fetch, { flow })(server.url), { step: "request" });
    assert.equal(visits.length, 3);
  });

  test("requests at once are one step", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, challenge: named("a"), needs });
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow });
    assert.equal((await authorized(server.url)).status, 200);
    const all = await Promise.all(
      Array.from({ length: 5 }, () => authorized(server.url, { method: "POST", body: "b" })),
    );
    assert.deepEqual(
      all.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    );
    assert.equal(visits.length, 2);
  });

  test("a 403 for another reason is the caller's", async (t) => {
    const server = await resource(t, {
      first: () => ({ status: 403, headers: { "WWW-Authenticate": 'Bearer error="other"' } }),
    });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 403);
    assert.equal(server.requests.length, 1);
  });
});
