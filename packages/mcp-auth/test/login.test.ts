import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryStore, withAuth } from "../src/index.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

describe("logIn", () => {
  test("asks the server what it wants and gets it, once", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      challenge: (origin) => `Bearer scope="a", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    });
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow });
    await authorized.logIn(server.url);
    await authorized.logIn(server.url);
    assert.equal(visits.length, 1);
    assert.equal(issuer.authorizationRequests[0]?.get("scope"), "a");
    assert.deepEqual(JSON.parse(server.calls()[0]?.body ?? ""), { jsonrpc: "2.0", id: 0, method: "ping" });
  });

  test("logs in to a server that lets everybody ping", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      first: ({ path, body }) => (path === "/mcp" && body.includes("ping") ? { body: {} } : undefined),
    });
    const authorized = withAuth(fetch, person());
    await authorized.logIn(server.url);
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(issuer.tokenRequests.length, 1);
    assert.deepEqual(
      server.calls().map(({ headers }) => headers.authorization !== undefined),
      [false, true],
    );
  });

  test("asks at once where nobody logged in when asked before", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    let present = false;
    const { flow, visits } = person((back) => {
      if (!present) back.searchParams.set("error", "access_denied");
    });
    const authorized = withAuth(fetch, { flow });
    await assert.rejects(authorized(server.url), { step: "authorization", code: "access_denied" });
    for (let count = 0; count < 3; count++)
      await assert.rejects(authorized(server.url), {
        message: `authorization, ${server.url}: expected a person to log in, nobody has lately; logIn asks again`,
      });
    await assert.rejects(authorized.logIn(server.url), { code: "access_denied" });
    assert.equal(visits.length, 2);
    present = true;
    await authorized.logIn(server.url);
    issuer.valid.clear();
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(visits.length, 4);
  });

  test("does nothing at a server that wants none", async (t) => {
    const server = await resource(t, { first: ({ path }) => (path === "/mcp" ? { body: {} } : { status: 404 }) });
    const { flow, visits } = person();
    await withAuth(fetch, { flow }).logIn(server.url);
    assert.deepEqual(visits, []);
  });
});

describe("logOut", () => {
  test("has the tokens declared void and forgets them", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow, store });
    await authorized(server.url);
    const [access = ""] = issuer.valid.keys();
    const [refresh = ""] = issuer.refreshTokens.keys();
    await authorized.logOut(server.url);
    const revoked = issuer.site.requests
      .filter(({ path }) => path === "/revoke")
      .map(({ form }) => [form.get("token"), form.get("token_type_hint")]);
    assert.deepEqual(revoked, [
      [refresh, "refresh_token"],
      [access, "access_token"],
    ]);
    assert.equal(await store.get(`grants ${server.origin}`), undefined);
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(visits.length, 2);
  });

  test("forgets them where the issuer revokes nothing", async (t) => {
    const issuer = await Issuer.start(t, { metadata: { revocation_endpoint: undefined } });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    await authorized(server.url);
    await authorized.logOut(server.url);
    await authorized.logOut(server.url);
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(issuer.tokenRequests.length, 2);
  });

  test("says what the issuer says against it", async (t) => {
    const issuer = await Issuer.start(t, {
      first: ({ path }) => (path === "/revoke" ? { status: 503, body: { error: "server_error" } } : undefined),
    });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    await authorized(server.url);
    await assert.rejects(authorized.logOut(server.url), {
      step: "revocation",
      message: `revocation, ${issuer.site.origin}/revoke: expected status 200, got 503: "server_error"`,
    });
  });
});
