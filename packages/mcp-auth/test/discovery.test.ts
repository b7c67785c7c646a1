import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AuthError, withAuth } from "../src/index.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

const ROOT = "/.well-known/oauth-protected-resource";

describe("resource metadata", () => {
  test("AUTH-14, AUTH-18: a 401 leads to the metadata that it names, and from there to a token", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      metadataAt: "/somewhere/else",
      challenge: (origin) =>
        `Basic realm="a, b=c", Bearer realm="x \\" y", resource_metadata="${origin}/somewhere/else"`,
    });
    const response = await withAuth(fetch, person())(server.url, { method: "POST", body: "{}" });
    assert.deepEqual(await response.json(), { ok: true });
    assert.deepEqual(server.paths(), ["/mcp", "/somewhere/else", "/mcp"]);
  });

  test("AUTH-17: without a name in the challenge the path comes first, then the root", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      metadataAt: ROOT,
      challenge: () => "Bearer",
      metadata: (origin) => ({ resource: origin }),
    });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.deepEqual(server.paths(), ["/mcp", `${ROOT}/mcp`, ROOT, "/mcp"]);
    assert.equal(issuer.authorizationRequests[0]?.get("resource"), server.origin);
  });

  for (const status of [400, 401, 403, 404, 405, 502])
    test(`L03: ${status} at the path form goes on to the root`, async (t) => {
      const issuer = await Issuer.start(t);
      const server = await resource(t, {
        issuer,
        metadataAt: ROOT,
        challenge: () => undefined,
        first: ({ path }) => (path === `${ROOT}/mcp` ? { status } : undefined),
      });
      assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    });

  for (const status of [429, 500])
    test(`L03: ${status} is an error, not an absence`, async (t) => {
      const issuer = await Issuer.start(t);
      const server = await resource(t, {
        issuer,
        metadataAt: ROOT,
        challenge: () => undefined,
        first: ({ path }) => (path === `${ROOT}/mcp` ? { status } : undefined),
      });
      await assert.rejects(withAuth(fetch, person())(server.url), {
        name: "AuthError",
        step: "resource metadata",
        message: `resource metadata, ${server.origin}${ROOT}/mcp: expected a document, got status ${status}`,
      });
    });

  test("a page for people at a well-known address is as good as nothing", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      metadataAt: ROOT,
      challenge: () => undefined,
      first: ({ path }) => (path === `${ROOT}/mcp` ? { body: "<!doctype html>" } : undefined),
    });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
  });

  test("metadata that the challenge names is not looked for elsewhere", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, challenge: (origin) => `Bearer resource_metadata="${origin}/gone"` });
    await assert.rejects(withAuth(fetch, person())(server.url), {
      step: "resource metadata",
      url: `${server.origin}/gone`,
    });
    assert.deepEqual(server.paths(), ["/mcp", "/gone"]);
  });

  for (const [what, published] of [
    ["another origin", () => "https://evil.example.com/mcp"],
    ["another path", (origin: string) => `${origin}/other`],
    ["a path that only begins alike", (origin: string) => `${origin}/mc`],
    ["a fragment", (origin: string) => `${origin}/mcp#a`],
    ["no URL", () => "localhost/mcp"],
    ["no string", () => 7],
  ] as const)
    test(`AUTH-102, AUTH-52: a resource of ${what} is refused before anything is authorized`, async (t) => {
      const issuer = await Issuer.start(t);
      const server = await resource(t, { issuer, metadata: (origin) => ({ resource: published(origin) }) });
      await assert.rejects(withAuth(fetch, person())(server.url), { step: "resource metadata" });
      assert.deepEqual(issuer.site.requests, []);
    });

  for (const [what, published] of [
    ["the server itself", (origin: string) => `${origin}/a/mcp`],
    ["a path above it", (origin: string) => `${origin}/a`],
    ["its origin", (origin: string) => origin],
    ["its origin with a slash", (origin: string) => `${origin}/`],
    ["upper case", (origin: string) => origin.replace("http://localhost", "HTTP://LOCALHOST")],
  ] as const)
    test(`AUTH-51, AUTH-53, AUTH-54, L06: a resource that is ${what} is sent on exactly as published`, async (t) => {
      const issuer = await Issuer.start(t, { refreshTokens: true });
      const server = await resource(t, {
        issuer,
        path: "/a/mcp",
        metadata: (origin) => ({ resource: published(origin) }),
      });
      const authorized = withAuth(fetch, person());
      assert.equal((await authorized(server.url)).status, 200);
      issuer.valid.clear();
      assert.equal((await authorized(server.url)).status, 200);
      const expected = published(server.origin);
      assert.equal(issuer.authorizationRequests[0]?.get("resource"), expected);
      assert.deepEqual(
        issuer.tokenRequests.map((form) => [form.get("grant_type"), form.get("resource")]),
        [
          ["authorization_code", expected],
          ["refresh_token", expected],
        ],
      );
    });

  test("a 401 for other kinds of credentials is the caller's", async (t) => {
    const server = await resource(t, { challenge: () => 'Basic realm="files"' });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 401);
    assert.deepEqual(server.paths(), ["/mcp"]);
  });

  test("AUTH-26: of several issuers the first is taken, or the first that knows the client", async (t) => {
    const [one, two] = [await Issuer.start(t), await Issuer.start(t)];
    const server = await resource(t, {
      issuer: two,
      metadata: () => ({ authorization_servers: [one.issuer, two.issuer] }),
    });
    const registered = { issuer: two.issuer, id: "abc" };
    assert.equal((await withAuth(fetch, { ...person(), client: { registered } })(server.url)).status, 200);
    assert.deepEqual(one.site.requests, []);
    await assert.rejects(withAuth(fetch, person())(server.url), AuthError);
    assert.equal(one.tokenRequests.length, 1);
  });
});

describe("server metadata", () => {
  const OAUTH = "/.well-known/oauth-authorization-server";
  const OPENID = "/.well-known/openid-configuration";

  for (const [path, places] of [
    ["", [OAUTH, OPENID]],
    ["/tenant", [`${OAUTH}/tenant`, `${OPENID}/tenant`, `/tenant${OPENID}`]],
    ["/realms/t", [`${OAUTH}/realms/t`, `${OPENID}/realms/t`, `/realms/t${OPENID}`]],
  ] as const)
    for (const [index, metadataAt] of places.entries())
      test(`AUTH-21, AUTH-22, AUTH-23, L05: an issuer with the path "${path}" is found at ${metadataAt}`, async (t) => {
        const issuer = await Issuer.start(t, { path, metadataAt });
        const server = await resource(t, { issuer });
        assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
        const asked = issuer.site.paths();
        assert.deepEqual(asked.slice(0, asked.indexOf("/register")), places.slice(0, index + 1));
      });

  for (const [what, named] of [
    ["an attacker", () => "https://attacker.example.com"],
    ["a slash more", (issuer: string) => `${issuer}/`],
    ["upper case", (issuer: string) => issuer.toUpperCase()],
    ["nobody", () => undefined],
  ] as const)
    test(`AUTH-24, AUTH-25: a document of ${what} is used for nothing`, async (t) => {
      const metadata: { issuer?: unknown } = {};
      const issuer = await Issuer.start(t, { metadata });
      metadata.issuer = named(issuer.issuer);
      const server = await resource(t, { issuer });
      await assert.rejects(withAuth(fetch, person())(server.url), (error) => {
        assert.ok(AuthError.is(error));
        assert.equal(error.step, "server metadata");
        assert.ok(error.message.includes(`expected the issuer "${issuer.issuer}", got`), error.message);
        return true;
      });
      assert.deepEqual(issuer.site.paths(), [OAUTH, OPENID]);
    });

  test("AUTH-24: a document of somebody else doesn't hide the right one", async (t) => {
    const issuer = await Issuer.start(t, {
      path: "/tenant",
      metadataAt: `/tenant${OPENID}`,
      // A server for many tenants that ignores what comes after the well-known part.
      first: ({ path }) =>
        path === `${OAUTH}/tenant`
          ? { body: { issuer: "https://as.example", token_endpoint: "https://as.example/token" } }
          : undefined,
    });
    const server = await resource(t, { issuer });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
  });

  test("an issuer without metadata is an error that says where it was looked for", async (t) => {
    const issuer = await Issuer.start(t, { metadataAt: "/nowhere" });
    const server = await resource(t, { issuer });
    const { origin } = issuer.site;
    await assert.rejects(withAuth(fetch, person())(server.url), {
      message: `server metadata, ${origin}/: expected its metadata at ${origin}${OAUTH} or ${origin}${OPENID}, got none`,
    });
  });
});

/** A server that is its own authorization server. */
async function oldServer(t: Parameters<typeof Issuer.start>[0], metadata: boolean): Promise<Issuer> {
  const issuer: Issuer = await Issuer.start(t, {
    ...(!metadata && { metadataAt: "/nowhere" }),
    first: ({ path, headers }) => {
      if (path !== "/v1/mcp" && path !== "/messages") return undefined;
      const token = headers.authorization?.replace("Bearer ", "") ?? "";
      return issuer.valid.has(token) ? { body: { ok: true } } : { status: 401 };
    },
  });
  return issuer;
}

describe("servers of 2025-03-26", () => {
  test("AUTH-08, AUTH-09, AUTH-12, HTTP-63: the server's origin is asked for the metadata, and told the version", async (t) => {
    const server = await oldServer(t, true);
    assert.equal((await withAuth(fetch, person())(`${server.issuer}/v1/mcp`)).status, 200);
    const metadata = server.site.requests.find(({ path }) => path === "/.well-known/oauth-authorization-server");
    assert.equal(metadata?.headers["mcp-protocol-version"], "2025-03-26");
  });

  test("AUTH-10: without metadata the default addresses are taken", async (t) => {
    const server = await oldServer(t, false);
    const authorized = withAuth(fetch, person());
    assert.equal((await authorized(`${server.issuer}/v1/mcp`)).status, 200);
    assert.deepEqual(server.site.paths().slice(-4), ["/register", "/authorize", "/token", "/v1/mcp"]);
    const [request] = server.authorizationRequests;
    assert.equal(request?.get("code_challenge_method"), "S256");
    assert.equal(request?.get("resource"), `${server.issuer}/v1/mcp`);
  });

  test("a token is for the whole origin", async (t) => {
    const server = await oldServer(t, true);
    const { visits, flow } = person();
    const authorized = withAuth(fetch, { flow });
    assert.equal((await authorized(`${server.issuer}/v1/mcp`)).status, 200);
    assert.equal((await authorized(`${server.issuer}/messages?id=1`)).status, 200);
    assert.equal(visits.length, 1);
  });

  test("neither is a way for servers that name an issuer", async (t) => {
    const issuer = await Issuer.start(t, { metadataAt: "/nowhere" });
    const server = await resource(t, { issuer });
    await assert.rejects(withAuth(fetch, person())(server.url), { step: "server metadata" });
    assert.ok(!issuer.site.paths().includes("/register"));
  });
});
