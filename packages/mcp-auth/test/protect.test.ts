import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CheckToken, type ProtectOptions, protect } from "../src/server/index.ts";
import { ask, challengeOf, letIn, request, turnedAway } from "./ask.ts";

const ISSUER = "https://as.example.com";
const RESOURCE = "https://mcp.example.com/mcp";
const METADATA = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

/** Takes tokens that list their scopes: "a,b". */
const check: CheckToken = async (token) =>
  token.startsWith("bad") ? { fault: "No, really" } : { subject: "alice", scopes: token.split("-"), claims: {} };

const guarded = (more: Partial<ProtectOptions> = {}) => protect({ resource: RESOURCE, issuer: ISSUER, check, ...more });

const faulty: CheckToken = async () => ({ fault: 'a "b" \\ c\r\nSet-Cookie: x=é' });

const nobody: CheckToken = async () => ({ scopes: [], claims: {} });

const ending =
  (expiresAt?: number): CheckToken =>
  async () => ({ subject: "alice", scopes: [], claims: {}, expiresAt });

const message = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });

describe("challenges", () => {
  test("L16, AUTH-06, AUTH-15, AUTH-16: without a token there is no error, only the way", async () => {
    assert.equal(challengeOf(await ask(guarded())), `Bearer ${METADATA}`);
    turnedAway(await ask(guarded()));
    const verdict = await ask(guarded());
    turnedAway(verdict);
    assert.equal(verdict.status, 401);
  });

  test("AUTH-62: and the scopes, if there are any", async () => {
    assert.equal(challengeOf(await ask(guarded({ scopes: ["a", "b"] }))), `Bearer scope="a b", ${METADATA}`);
  });

  for (const header of ["Basic YTpi", "Negotiate x", "BearerX y", ""])
    test(`L16: "${header}" is as good as no token`, async () => {
      const verdict = await guarded().verify(request(header === "" ? {} : { authorization: header }));
      assert.equal(challengeOf(verdict), `Bearer ${METADATA}`);
    });

  for (const header of ["Bearer", "Bearer ", "Bearer a b", "Bearer a, Bearer b", "Bearer a\u00e9", 'Bearer "a"'])
    test(`AUTH-85: "${header}" is 400`, async () => {
      const verdict = await guarded().verify(request({ authorization: header }));
      turnedAway(verdict);
      assert.equal(verdict.status, 400);
      assert.equal(
        challengeOf(verdict),
        `Bearer error="invalid_request", error_description="Expected one token after Bearer", ${METADATA}`,
      );
    });

  test("AUTH-78, AUTH-85: a token that is not good is 401, and says why", async () => {
    const verdict = await ask(guarded({ scopes: ["a"] }), "bad");
    turnedAway(verdict);
    assert.equal(verdict.status, 401);
    assert.equal(
      challengeOf(verdict),
      `Bearer error="invalid_token", error_description="No, really", scope="a", ${METADATA}`,
    );
  });

  test("AUTH-69, AUTH-85: too few scopes are 403, with all that are needed", async () => {
    const verdict = await ask(guarded({ scopes: ["a", "b"] }), "a-c");
    turnedAway(verdict);
    assert.equal(verdict.status, 403);
    assert.equal(
      challengeOf(verdict),
      `Bearer error="insufficient_scope", error_description="Expected the scope a b", scope="a b", ${METADATA}`,
    );
  });

  test("what would end a header ends none", async () => {
    assert.match(
      challengeOf(await ask(guarded({ check: faulty }), "x")) ?? "",
      /error_description="a 'b' ' c\?\?Set-Cookie: x=\?"/,
    );
  });

  test("L17: a check that gives no end is fine; one whose end is past is not", async () => {
    letIn(await ask(guarded({ check: ending() }), "x"));
    letIn(await ask(guarded({ check: ending(Date.now() - 20_000) }), "x"));
    assert.match(
      challengeOf(await ask(guarded({ check: ending(Date.now() - 60_000) }), "x")) ?? "",
      /The token has expired/,
    );
  });

  test("a check that fails is no verdict", async () => {
    await assert.rejects(ask(guarded({ check: () => Promise.reject(new Error("down")) }), "x"), /down/);
    assert.match(challengeOf(await ask(guarded({ check: nobody }), "x")) ?? "", /neither a subject nor a client/);
  });
});

describe("scopes", () => {
  const options = {
    scopes: ["use"],
    methods: { "resources/read": ["read"], "tools/call": ["call"] },
    tools: { book: ["write", "pay"] },
    implies: { admin: ["use", "read", "call", "write"], write: ["pay"], loop: ["loop"] },
  };

  for (const [granted, method, params, missing] of [
    ["use", "tools/list", undefined, undefined],
    ["use", "resources/read", { uri: "x" }, "use read"],
    ["use-read", "resources/read", { uri: "x" }, undefined],
    ["use-call", "tools/call", { name: "other" }, undefined],
    ["use-call", "tools/call", { name: "book" }, "use call write pay"],
    ["use-call-write-pay", "tools/call", { name: "book" }, undefined],
    ["use-call", "tools/call", { name: "toString" }, undefined],
    ["use-call", "tools/call", null, undefined],
    ["use", "constructor", undefined, undefined],
    ["admin", "tools/call", { name: "book" }, undefined],
    ["use-call-write", "tools/call", { name: "book" }, undefined],
    ["use-loop", "resources/read", {}, "use read"],
  ] as const)
    test(`AUTH-70, AUTH-71, AUTH-72: ${granted} for ${method} ${JSON.stringify(params)}`, async () => {
      const verdict = await ask(guarded(options), granted);
      letIn(verdict);
      const denial = verdict.permit(message(method, params));
      if (missing === undefined) return assert.equal(denial, undefined);
      turnedAway(denial);
      assert.equal(denial.status, 403);
      assert.match(challengeOf(denial) ?? "", new RegExp(`error="insufficient_scope".* scope="${missing}"`));
    });

  test("an answer needs nothing besides", async () => {
    const verdict = await ask(guarded(options), "use");
    letIn(verdict);
    assert.equal(verdict.permit({ jsonrpc: "2.0" }), undefined);
  });

  test("AUTH-90: offline_access is not a server's to ask for", () => {
    for (const more of [
      { scopes: ["offline_access"] },
      { tools: { a: ["offline_access"] } },
      { methods: { a: ["offline_access"] } },
    ])
      assert.throws(() => guarded(more), {
        name: "TypeError",
        message: /^"offline_access" is between client and authorization server/,
      });
  });

  test("a scope is one word", () => {
    for (const scope of ["a b", "", 'a"b', "é"]) assert.throws(() => guarded({ scopes: [scope] }), TypeError);
  });
});

describe("metadata", () => {
  test("AUTH-13, AUTH-63, AUTH-90: the document has what clients need, and not every scope that there is", () => {
    const { document, url } = guarded({ scopes: ["a"], tools: { book: ["b"] }, name: "Office" });
    assert.equal(url, "https://mcp.example.com/.well-known/oauth-protected-resource/mcp");
    assert.deepEqual(document, {
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      scopes_supported: ["a"],
      bearer_methods_supported: ["header"],
      resource_name: "Office",
    });
  });

  test("AEXT-11: the document has whatever else a server has to say", () => {
    const metadata = { resource_documentation: "https://mcp.example.com/docs", "com.example/enterprise": true };
    const { document } = guarded({ metadata });
    assert.deepEqual([document["resource"], document["com.example/enterprise"]], [RESOURCE, true]);
    assert.equal(guarded({ metadata: { resource: "x" } }).document["resource"], RESOURCE);
  });

  test("L18: a Request gets a Response, or is left to others", async () => {
    const { respond, handler, url, document } = guarded();
    const response = respond(new Request(url));
    assert.ok(response);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.deepEqual(await response.json(), document);
    for (const [method, status] of [
      ["HEAD", 200],
      ["OPTIONS", 204],
      ["POST", 405],
    ] as const) {
      const other = respond(new Request(url, { method }));
      assert.equal(other?.status, status);
      assert.equal(await other.text(), "");
    }
    assert.equal(respond(new Request(RESOURCE)), undefined);
    assert.equal(respond(new Request(`${url}/more`)), undefined);
    const handle = handler(() => new Response("mcp"));
    assert.equal(await (await handle(new Request(RESOURCE))).text(), "mcp");
    assert.equal((await handle(new Request(`${url}?x=1`))).status, 200);
  });

  test("a server at the root has its document at the root", () => {
    const { url, document } = guarded({ resource: "https://mcp.example.com" });
    assert.equal(url, "https://mcp.example.com/.well-known/oauth-protected-resource");
    assert.equal(document["resource"], "https://mcp.example.com");
  });

  test("addresses that can't be right are refused at once", () => {
    for (const resource of ["https://mcp.example.com/#a", "api://office"])
      assert.throws(() => guarded({ resource }), TypeError);
    assert.throws(() => guarded({ resource: "mcp.example.com" }), TypeError);
  });
});
