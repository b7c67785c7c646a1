// Everything against an authorization server that others have written, from the client's call to the server's handler.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, describe, test } from "node:test";
import { http, nodeListener } from "@x/transport-http";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { type Provider, clientCredentials, memoryStore, withAuth } from "../src/index.ts";
import { loopback } from "../src/node/index.ts";
import { type Protection, authOf, verifyIntrospection, verifyJwt } from "../src/server/index.ts";
import { Browser } from "../../../fixtures/browser.ts";
import { type KnownClient, type Tokens, startProvider } from "./provider.ts";

const SCOPES = "office:read office:write";
const SERVER: KnownClient = {
  client_id: "office",
  client_secret: "office-s3cret",
  redirect_uris: [],
  response_types: [],
  grant_types: [],
};

type Protect = (issuer: string, audience: string) => Protection;

const byJwt: Protect = (issuer, audience) =>
  verifyJwt({ issuer, audience, scopes: ["office:read"], tools: { book: ["office:write"] } });

const byIntrospection: Protect = (issuer, audience) =>
  verifyIntrospection({ issuer, audience, scopes: ["office:read"], client: { id: "office", secret: "office-s3cret" } });

async function office(t: TestContext, protect: Protect, tokens: Partial<Tokens> = {}, clients: KnownClient[] = []) {
  const issuer = await startProvider(t, { format: "jwt", life: 600, scopes: SCOPES, ...tokens }, [SERVER, ...clients]);
  const mcp = new McpServer({ name: "office", version: "1.0.0" });
  mcp.tool("whoAmI", {}, (_args, { principal = "nobody" }) => principal);
  mcp.tool("book", {}, (_args, { info }) => authOf(info)?.scopes.join(" ") ?? "");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
  const auth = protect(issuer, url);
  const listener = nodeListener(mcp, { path: "/mcp", verify: auth.verify });
  server.on("request", auth.listener(listener));
  t.after(async () => {
    await listener.close({ deadline: 100 });
    server.closeAllConnections();
    server.close();
  });
  return { issuer, url };
}

/** A client whose requests are written down. */
function client(name: string, more: Partial<Provider> = {}) {
  const requests: { readonly url: string; readonly body: URLSearchParams; readonly token: string | null }[] = [];
  const tapped: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    const form = headers.get("content-type")?.includes("form") ? String(init?.body) : "";
    requests.push({ url: String(input), body: new URLSearchParams(form), token: headers.get("authorization") });
    return fetch(input, init);
  };
  const browser = new Browser(name);
  const pages: string[] = [];
  const open = (page: string): void => {
    pages.push(page);
    void browser.visit(page);
  };
  const authorized = withAuth(tapped, { flow: loopback({ open }), client: { name: "Desk" }, ...more });
  const tokenRequests = (): (string | null)[] =>
    requests.filter(({ url }) => url.endsWith("/token")).map(({ body }) => body.get("grant_type"));
  return { authorized, requests, tokenRequests, pages };
}

const INFO = { name: "desk", version: "1.0.0" };

const textOf = ({ content }: { readonly content: readonly unknown[] }): unknown =>
  (content[0] as { text?: unknown }).text;

describe("with oidc-provider", { concurrency: false }, () => {
  test("AUTH-02, AUTH-05, AUTH-07: a person logs in, the client registers itself, the handler knows who it is", async (t) => {
    const { url, issuer } = await office(t, byJwt);
    const { authorized, requests, tokenRequests, pages } = client("alice");
    await using mcp = await connect(http(url, { fetch: authorized }), INFO);
    assert.equal(textOf(await mcp.callTool("whoAmI", {})), "alice");
    assert.equal(pages.length, 1);
    const asked = new URL(pages[0] ?? "").searchParams;
    assert.equal(asked.get("resource"), url);
    assert.equal(asked.get("scope"), "office:read offline_access");
    assert.deepEqual(tokenRequests(), ["authorization_code"]);
    assert.equal(requests.filter(({ url: each }) => each === `${issuer}/reg`).length, 1);
  });

  test("AUTH-71, AUTH-74: a tool that needs more leads to a step-up, with one login more", async (t) => {
    const { url } = await office(t, byJwt);
    const { authorized, pages } = client("alice");
    await using mcp = await connect(http(url, { fetch: authorized }), INFO);
    assert.equal(textOf(await mcp.callTool("book", {})), SCOPES);
    assert.equal(textOf(await mcp.callTool("whoAmI", {})), "alice");
    assert.deepEqual(
      pages.map((page) => new URL(page).searchParams.get("scope")),
      ["office:read offline_access", "office:read office:write offline_access"],
    );
  });

  test("L01: 20 calls at once refresh once, each time with the token that came last", async (t) => {
    const { url } = await office(t, byJwt, { life: 1 });
    const { authorized, requests, tokenRequests, pages } = client("alice");
    assert.equal((await authorized(url, call(0))).status, 200);
    for (let round = 1; round <= 2; round++) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      const all = await Promise.all(Array.from({ length: 20 }, () => authorized(url, call(round))));
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
      assert.equal(tokenRequests().length, round + 1);
    }
    assert.deepEqual(tokenRequests(), ["authorization_code", "refresh_token", "refresh_token"]);
    const used = requests.map(({ body }) => body.get("refresh_token")).filter((token) => token !== null);
    assert.equal(new Set(used).size, 2);
    assert.equal(pages.length, 1);
  });

  test("AUTH-78: a token that was revoked, and all with it, is refused at once; 20 calls are one login", async (t) => {
    const { url, issuer } = await office(t, byIntrospection, { format: "opaque" });
    const { authorized, requests, tokenRequests, pages } = client("alice");
    await authorized.logIn(url);
    assert.equal((await authorized(url, call(1))).status, 200);
    const token = requests.at(-1)?.token?.replace("Bearer ", "") ?? "";
    const client_id = new URL(pages[0] ?? "").searchParams.get("client_id") ?? "";
    const revoked = await fetch(`${issuer}/token/revocation`, {
      method: "POST",
      body: new URLSearchParams({ token, client_id }),
    });
    assert.equal(revoked.status, 200);
    const all = await Promise.all(Array.from({ length: 20 }, () => authorized(url, call(1))));
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    assert.deepEqual(tokenRequests(), ["authorization_code", "refresh_token", "authorization_code"]);
    assert.equal(pages.length, 2);
  });

  test("logging out makes the tokens worthless", async (t) => {
    const { url } = await office(t, byIntrospection, { format: "opaque" });
    const { authorized, requests, tokenRequests, pages } = client("alice");
    await authorized.logIn(url);
    await authorized(url, call(1));
    const Authorization = requests.at(-1)?.token ?? "";
    const asBefore = (): Promise<Response> =>
      fetch(url, { ...call(1), headers: { ...call(1).headers, Authorization } });
    assert.equal((await asBefore()).status, 200);
    await authorized.logOut(url);
    assert.equal((await asBefore()).status, 401);
    assert.equal((await authorized(url, call(1))).status, 200);
    assert.equal(pages.length, 2);
    assert.deepEqual(tokenRequests(), ["authorization_code", "authorization_code"]);
  });

  test("SEC-09, SEC-10: two persons are two principals; a session of one is not the other's", async (t) => {
    const { url } = await office(t, byJwt);
    const [alice, bob] = [client("alice"), client("bob")];
    for (const [name, { authorized }] of Object.entries({ alice, bob })) {
      await using mcp = await connect(http(url, { fetch: authorized }), INFO, { lifecycle: "handshake" });
      assert.equal(textOf(await mcp.callTool("whoAmI", {})), name);
    }
    const plain = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const opened = await alice.authorized(url, { method: "POST", headers: plain, body: INITIALIZE });
    const headers = { ...plain, "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
    await opened.body?.cancel();
    const ping = { method: "POST", headers, body: '{"jsonrpc":"2.0","id":2,"method":"ping"}' };
    assert.equal((await alice.authorized(url, ping)).status, 200);
    assert.equal((await bob.authorized(url, ping)).status, 404);
  });

  test("AUTH-07: a program logs in for itself, with the token bound to its key", async (t) => {
    const robot = {
      client_id: "robot",
      client_secret: "robot-s3cret",
      redirect_uris: [],
      response_types: [],
      grant_types: ["client_credentials"],
    };
    const { url, issuer } = await office(t, byJwt, {}, [robot]);
    const registered = { issuer, id: "robot", secret: "robot-s3cret" };
    const { authorized, tokenRequests, requests } = client("", {
      flow: clientCredentials(),
      client: { registered },
      dpop: true,
    });
    await using mcp = await connect(http(url, { fetch: authorized }), INFO);
    assert.equal(textOf(await mcp.callTool("whoAmI", {})), "client:robot");
    assert.match(requests.at(-1)?.token ?? "", /^DPoP /);
    // The issuer wants a nonce in the proof, and the second request has it.
    assert.deepEqual(tokenRequests(), ["client_credentials", "client_credentials"]);
  });

  test("the tokens of a person are bound to a key, which is kept with them", async (t) => {
    const { url } = await office(t, byJwt, { life: 1 });
    const store = memoryStore();
    const first = client("alice", { dpop: true, store });
    await first.authorized.logIn(url);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const second = client("alice", { dpop: true, store });
    assert.equal((await second.authorized(url, call(1))).status, 200);
    assert.deepEqual(new Set(second.tokenRequests()), new Set(["refresh_token"]));
    const bearer = {
      ...call(1).headers,
      Authorization: second.requests.at(-1)?.token?.replace("DPoP", "Bearer") ?? "",
    };
    const stolen = await fetch(url, { ...call(1), headers: bearer });
    assert.equal(stolen.status, 401);
    assert.match(
      stolen.headers.get("www-authenticate") ?? "",
      /error="invalid_token", error_description="The token is bound to a key/,
    );
  });
});

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: INFO },
});

/** A call without a handshake. */
const call = (id: number) => ({
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "whoAmI",
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name: "whoAmI",
      arguments: {},
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": INFO,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
});
