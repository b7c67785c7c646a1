import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Flow, type Store, memoryStore, withAuth } from "../src/index.ts";
import { gate } from "./gate.ts";
import { Issuer, refused } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

const grants = (form: URLSearchParams): string | null => form.get("grant_type");

describe("refresh", () => {
  for (const count of [5, 20])
    test(`L01: ${count} requests that get 401 at once refresh once`, async (t) => {
      const issuer = await Issuer.start(t, { refreshTokens: true });
      const server = await resource(t, { issuer });
      const { flow, visits } = person();
      const authorized = withAuth(fetch, { flow });
      await authorized(server.url);
      issuer.valid.clear();
      const all = await Promise.all(Array.from({ length: count }, () => authorized(server.url)));
      assert.ok(all.every(({ status }) => status === 200));
      assert.deepEqual(issuer.tokenRequests.map(grants), ["authorization_code", "refresh_token"]);
      assert.equal(visits.length, 1);
    });

  test("L01: so do wrappers that share a store", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const wrappers = Array.from({ length: 4 }, () => withAuth(fetch, { ...person(), store }));
    for (const authorized of wrappers) assert.equal((await authorized(server.url)).status, 200);
    issuer.valid.clear();
    const all = await Promise.all(wrappers.map((authorized) => authorized(server.url)));
    assert.ok(all.every(({ status }) => status === 200));
    assert.deepEqual(issuer.tokenRequests.map(grants), ["authorization_code", "refresh_token"]);
  });

  test("L01: requests of one wrapper do so without a lock too", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer });
    const store: Store = { ...memoryStore(), lock: (_key, work) => work() };
    const authorized = withAuth(fetch, { ...person(), store });
    await authorized(server.url);
    issuer.valid.clear();
    const all = await Promise.all(Array.from({ length: 20 }, () => authorized(server.url)));
    assert.ok(all.every(({ status }) => status === 200));
    assert.deepEqual(issuer.tokenRequests.map(grants), ["authorization_code", "refresh_token"]);
  });

  test("requests that get 401 without a token at once are one login", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow });
    const all = await Promise.all(Array.from({ length: 20 }, () => authorized(server.url)));
    assert.ok(all.every(({ status }) => status === 200));
    assert.equal(visits.length, 1);
    assert.equal(issuer.registrations.length, 1);
  });

  test("rotation: each refresh uses the token that came last, or the old one if none came", async (t) => {
    const tokens: { refresh_token?: string } = {};
    const issuer = await Issuer.start(t, { refreshTokens: true, tokens });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    const used: (string | null)[] = [];
    for (let count = 0; count < 4; count++) {
      assert.equal((await authorized(server.url)).status, 200);
      issuer.valid.clear();
      used.push(issuer.tokenRequests.at(-1)?.get("refresh_token") ?? null);
    }
    assert.equal(new Set(used).size, 4);
    assert.equal(used[0], null);
  });

  test("L02: whoever loses the race does not delete what the winner has got", async (t) => {
    const held = gate();
    let first = true;
    const issuer = await Issuer.start(t, {
      refreshTokens: true,
      first: async ({ path, form }) => {
        if (path !== "/token" || form.get("grant_type") !== "refresh_token" || !first) return undefined;
        first = false;
        await held.pass();
        return refused("invalid_grant");
      },
    });
    const server = await resource(t, { issuer });
    // A store that can't lock, as over a database that two machines share.
    const kept = memoryStore();
    const store: Store = { ...kept, lock: (_key, work) => work() };
    const [loser, winner] = [person(), person()].map(({ flow, visits }) => ({
      fetch: withAuth(fetch, { flow, store }),
      visits,
    }));
    assert.ok(loser && winner);
    await loser.fetch(server.url);
    await winner.fetch(server.url);
    issuer.valid.clear();
    const lost = loser.fetch(server.url);
    await held.arrived;
    assert.equal((await winner.fetch(server.url)).status, 200);
    const after = await kept.get(`grants ${server.origin}`);
    held.open();
    assert.equal((await lost).status, 200);
    assert.deepEqual(await kept.get(`grants ${server.origin}`), after);
    assert.equal(loser.visits.length + winner.visits.length, 1);
    assert.deepEqual(issuer.tokenRequests.map(grants), ["authorization_code", "refresh_token", "refresh_token"]);
  });

  test("a refresh token that is worth nothing any more leads to a login", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer });
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow });
    await authorized(server.url);
    issuer.valid.clear();
    issuer.refreshTokens.clear();
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(visits.length, 2);
  });

  for (const reply of [
    { status: 500 },
    { status: 429, body: { error: "slow_down" } },
    { status: 503, body: { error: "temporarily_unavailable" } },
  ])
    test(`an issuer that answers ${reply.status} has not refused: the refresh token is kept`, async (t) => {
      let ill = false;
      const issuer = await Issuer.start(t, {
        refreshTokens: true,
        first: ({ path }) => (path === "/token" && ill ? reply : undefined),
      });
      const server = await resource(t, { issuer });
      const { flow, visits } = person();
      const authorized = withAuth(fetch, { flow });
      await authorized(server.url);
      issuer.valid.clear();
      ill = true;
      await assert.rejects(authorized(server.url), { step: "refresh" });
      ill = false;
      assert.equal((await authorized(server.url)).status, 200);
      assert.equal(visits.length, 1);
    });

  test("an abort ends the waiting of one request, not the refresh of the others", async (t) => {
    const held = gate();
    const issuer = await Issuer.start(t, {
      refreshTokens: true,
      first: async ({ form }) => {
        if (form.get("grant_type") === "refresh_token") await held.pass();
        return undefined;
      },
    });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    await authorized(server.url);
    issuer.valid.clear();
    const controller = new AbortController();
    const [left, right] = [authorized(server.url, { signal: controller.signal }), authorized(server.url)];
    await held.arrived;
    controller.abort(new Error("enough"));
    await assert.rejects(left, /enough/);
    held.open();
    assert.equal((await right).status, 200);
    assert.deepEqual(issuer.tokenRequests.map(grants), ["authorization_code", "refresh_token"]);
  });
});

const withLife = async (t: Parameters<typeof Issuer.start>[0], expires_in: unknown, refreshTokens = true) => {
  const issuer = await Issuer.start(t, { refreshTokens, tokens: { expires_in } });
  const server = await resource(t, { issuer });
  const { flow, visits } = person();
  return { issuer, server, visits, authorized: withAuth(fetch, { flow }) };
};

describe("ahead of time", () => {
  for (const life of [0.05, "0.05"])
    test(`L10: a token that lives for ${JSON.stringify(life)} s is refreshed before it is sent again`, async (t) => {
      const { issuer, server, authorized } = await withLife(t, life);
      await authorized(server.url);
      await new Promise((resolve) => setTimeout(resolve, 60));
      const before = server.calls().length;
      await Promise.all(Array.from({ length: 20 }, () => authorized(server.url)));
      assert.equal(server.calls().length - before, 20);
      assert.equal(issuer.tokenRequests.length, 2);
    });

  for (const life of [5250, "5250", 0, -1, null, "soon", {}, undefined])
    test(`L10: expires_in ${JSON.stringify(life)} is no reason to refresh`, async (t) => {
      const { issuer, server, authorized } = await withLife(t, life);
      for (let count = 0; count < 3; count++) assert.equal((await authorized(server.url)).status, 200);
      assert.equal(issuer.tokenRequests.length, 1);
    });

  test("nobody who has a token waits while a person is asked for more", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true, tokens: { expires_in: 0.01 } });
    const server = await resource(t, { issuer, needs: (body) => (body === "" ? [] : [body]) });
    const held = gate();
    const { flow } = person();
    let logins = 0;
    const slow: Flow = {
      attended: true,
      run: async (authorization) => (await (logins++ > 0 ? held.pass() : undefined), await flow.run(authorization)),
    };
    const authorized = withAuth(fetch, { flow: slow });
    await authorized(server.url);
    const more = authorized(server.url, { method: "POST", body: "write" });
    await held.arrived;
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let count = 0; count < 3; count++) assert.equal((await authorized(server.url)).status, 200);
    held.open();
    assert.equal((await more).status, 200);
  });

  test("without a refresh token, the server decides when a token has ended", async (t) => {
    const { server, visits, authorized } = await withLife(t, 0.01, false);
    await authorized(server.url);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(visits.length, 1);
  });

  test("what fails ahead of time does no harm while the token is good", async (t) => {
    let ill = false;
    const issuer = await Issuer.start(t, {
      refreshTokens: true,
      tokens: { expires_in: 0.01 },
      first: ({ path }) => (path === "/token" && ill ? { status: 500 } : undefined),
    });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    await authorized(server.url);
    await new Promise((resolve) => setTimeout(resolve, 20));
    ill = true;
    for (let count = 0; count < 3; count++) assert.equal((await authorized(server.url)).status, 200);
    assert.equal(issuer.tokenRequests.length, 2);
  });
});

const answered = async (t: Parameters<typeof Issuer.start>[0], status: number, body: unknown, headers = {}) => {
  const issuer = await Issuer.start(t, {
    first: ({ path }) => (path === "/token" ? { status, body, headers } : undefined),
  });
  issuer.valid.set("good", { scopes: [], resource: null, client: "" });
  const server = await resource(t, { issuer });
  return await withAuth(
    fetch,
    person(),
  )(server.url).then(
    ({ status: outcome }) => outcome,
    (error: unknown) => error as Error & { code?: string },
  );
};

describe("answers of token endpoints", () => {
  for (const [what, body] of [
    [
      "members that make no sense",
      {
        access_token: "good",
        token_type: "Bearer",
        refresh_token: null,
        scope: 7,
        expires_in: "",
        id_token: 1,
        error_description: null,
      },
    ],
    ["no type", { access_token: "good" }],
    ["an empty error", { access_token: "good", token_type: "bearer", error: "" }],
    ["a list of scopes", { access_token: "good", token_type: "BEARER", scope: ["a", "b"] }],
    ["a form", "access_token=good&token_type=bearer&scope=a%20b"],
  ] as const)
    test(`L11, L12: ${what} is an answer all the same`, async (t) => assert.equal(await answered(t, 200, body), 200));

  for (const [what, status, body, code, message] of [
    [
      "an error with status 200",
      200,
      { error: "invalid_grant", error_description: "no" },
      "invalid_grant",
      /got status 200: "invalid_grant", "no"$/,
    ],
    [
      "an error without words",
      400,
      { error: "invalid_grant", error_description: null },
      "invalid_grant",
      /got status 400: "invalid_grant"$/,
    ],
    [
      "an error in a form",
      200,
      "error=bad_verification_code&error_description=Expired",
      "bad_verification_code",
      /"Expired"$/,
    ],
    ["an error beside a token", 200, { error: "server_error", access_token: "good" }, "server_error", /got status 200/],
    ["no token", 200, {}, undefined, /expected a token, got status 200$/],
    ["an empty token", 200, { access_token: "", token_type: "Bearer" }, undefined, /expected a token, got status 200$/],
    ["a page", 200, "<html>", undefined, /expected a token, got status 200$/],
    [
      "another type",
      200,
      { access_token: "good", token_type: "mac" },
      undefined,
      /expected a token of the type "Bearer" or "DPoP", got "mac"$/,
    ],
    [
      "a bound token without a key",
      200,
      { access_token: "good", token_type: "DPoP" },
      undefined,
      /one of another type$/,
    ],
    ["a redirect", 302, "", undefined, /expected a token, got status 302$/],
  ] as const)
    test(`L11: ${what} is an error of the step`, async (t) => {
      const outcome = await answered(t, status, body, { Location: "https://evil.example.com" });
      assert.ok(outcome instanceof Error);
      assert.equal(outcome.code, code);
      assert.match(outcome.message, /^token, http:\/\/localhost:\d+\/token: /);
      assert.match(outcome.message, message);
    });

  test("more than 1 MiB is not read", async (t) => {
    const outcome = await answered(t, 200, `{"access_token":"good","x":"${"y".repeat(1_100_000)}"}`);
    assert.match(String(outcome), /expected a body of at most 1 MiB, got a longer one$/);
  });

  test("no answer is an error of the step", async (t) => {
    const server = await resource(t, {
      issuer: await Issuer.start(t, { metadata: { token_endpoint: "http://127.0.0.1:9/token" } }),
    });
    await assert.rejects(withAuth(fetch, person())(server.url), {
      step: "token",
      message: /^token, http:\/\/127\.0\.0\.1:9\/token: expected an answer, got /,
    });
  });

  test("an answer that takes too long is an error of the step", async (t) => {
    const issuer = await Issuer.start(t, {
      first: ({ path }) => (path === "/token" ? new Promise(() => {}) : undefined),
    });
    const server = await resource(t, { issuer });
    await assert.rejects(withAuth(fetch, { ...person(), timeout: 300 })(server.url), {
      step: "token",
      message: /expected an answer, got none within 300 ms$/,
    });
  });
});
