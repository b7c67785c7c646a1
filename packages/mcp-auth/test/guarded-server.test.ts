// The verifier in the HTTP transport, before an MCP server.
import assert from "node:assert/strict";
import { type IncomingMessage, createServer, request as asking } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, describe, test } from "node:test";
import { implement } from "@x/jsonrpc";
import { type HttpInfo, fetchHandler, http, nodeListener } from "@x/transport-http";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { CLIENT_CREDENTIALS, ENTERPRISE_MANAGED } from "../src/index.ts";
import { type ScopeOptions, authOf, verifyJwt } from "../src/server/index.ts";
import { type Signer, signer } from "./keys.ts";
import { site } from "./site.ts";

const ISSUER = "https://as.example.com";
const INFO = { name: "desk", version: "1.0.0" };

interface Office {
  readonly url: string;
  /** A token for a person with these scopes. */
  readonly token: (sub: string, scope?: string) => Promise<string>;
  /** What handlers have seen. */
  readonly seen: unknown[];
  readonly key: Signer;
}

async function office(t: TestContext, scopes: ScopeOptions = {}): Promise<Office> {
  const key = await signer("one");
  const seen: unknown[] = [];
  const mcp = new McpServer({ name: "office", version: "1.0.0" });
  mcp.tool("whoAmI", {}, async (_args, { info }) => {
    seen.push(info);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return authOf(info)?.principal ?? "nobody";
  });
  mcp.tool("book", {}, () => "booked");
  mcp.tool("confirm", {}, async (_args, context) => {
    const schema = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const;
    const { accepted } = await context.elicit("sure", { message: "Sure?", schema });
    return accepted ? "confirmed" : "left alone";
  });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/mcp`;
  const auth = verifyJwt({ issuer: ISSUER, audience: url, jwks: { keys: [{ ...key.jwk }] }, ...scopes });
  const listener = nodeListener(mcp, { path: "/mcp", verify: auth.verify });
  server.on("request", auth.listener(listener));
  t.after(async () => {
    await listener.close({ deadline: 100 });
    server.closeAllConnections();
    server.close();
  });
  const token: Office["token"] = (sub, scope = "") => key.sign({ iss: ISSUER, aud: url, sub, scope });
  return { url, token, seen, key };
}

const post = (url: string, token: string | undefined, message: unknown, headers: object = {}): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(message),
  });

const handshake = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: INFO },
});

/** A call without a handshake, and its headers. */
const call = (name: string, capabilities = {}) => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": INFO,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return [
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, _meta } },
    { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name },
  ] as const;
};

describe("a protected MCP server", () => {
  test("AUTH-06, AUTH-82, SEC-06: nothing is done for whoever shows no good token", async (t) => {
    const { url, seen, token } = await office(t);
    for (const method of ["POST", "GET", "DELETE"]) {
      const response = await fetch(url, { method, ...(method === "POST" && { body: "{" }) });
      assert.equal(response.status, 401, method);
      assert.match(
        response.headers.get("www-authenticate") ?? "",
        /^Bearer resource_metadata="http:\/\/localhost:\d+\/\.well-known\/oauth-protected-resource\/mcp"$/,
      );
    }
    assert.equal((await post(url, `${await token("alice")}x`, ...call("whoAmI"))).status, 401);
    assert.deepEqual(seen, []);
  });

  test("AUTH-85: two headers with credentials are 400, even if one of them is good", async (t) => {
    const { url, token, seen } = await office(t);
    const Authorization = ["Bearer x", `Bearer ${await token("alice")}`];
    for (const both of [Authorization, Authorization.toReversed()]) {
      const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = asking(url, { method: "POST", headers: { Authorization: both } }, resolve);
        sent.once("error", reject).end(JSON.stringify(call("whoAmI")[0]));
      });
      assert.equal(statusCode, 400);
      assert.match(
        headers["www-authenticate"] ?? "",
        /^Bearer error="invalid_request", error_description="Expected one token after Bearer"/,
      );
    }
    assert.deepEqual(seen, []);
  });

  test("AUTH-13: the way that a 401 shows leads to the metadata", async (t) => {
    const { url } = await office(t, { scopes: ["use"] });
    const header = (await post(url, undefined, {})).headers.get("www-authenticate") ?? "";
    const address = /resource_metadata="([^"]+)"/.exec(header)?.[1] ?? "";
    assert.deepEqual(await (await fetch(address)).json(), {
      resource: url,
      authorization_servers: [ISSUER],
      scopes_supported: ["use"],
      bearer_methods_supported: ["header"],
    });
  });

  test("M11: requests at once each have their own principal", async (t) => {
    const { url, token } = await office(t);
    const names = Array.from({ length: 20 }, (_, index) => `person-${index}`);
    const answers = await Promise.all(
      names.map(async (name) => {
        const response = await post(url, await token(name), ...call("whoAmI"));
        const { result } = (await response.json()) as { result: { content: [{ text: string }] } };
        return result.content[0].text;
      }),
    );
    assert.deepEqual(answers, names);
  });

  for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"])
    test(`SEC-06, SEC-07, SEC-09: a session of ${version} is nothing without a token, or with another's`, async (t) => {
      const { url, token } = await office(t);
      const [alice, bob] = [await token("alice"), await token("bob")];
      const opened = await post(url, alice, handshake(version));
      const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
      await opened.text();
      const ping = { jsonrpc: "2.0", id: 2, method: "ping" };
      assert.equal((await post(url, undefined, ping, session)).status, 401);
      assert.equal((await post(url, bob, ping, session)).status, 404);
      assert.equal((await post(url, alice, ping, session)).status, 200);
    });

  for (const version of ["2025-06-18", "2025-11-25"])
    test(`AUTH-69, AUTH-70: a tool that needs more is refused with 403 in ${version}`, async (t) => {
      const { url, token } = await office(t, { scopes: ["use"], tools: { book: ["write"] } });
      const alice = await token("alice", "use");
      const opened = await post(url, alice, handshake(version));
      const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
      await opened.text();
      await post(url, alice, { jsonrpc: "2.0", method: "notifications/initialized" }, session);
      const book = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "book", arguments: {} } };
      const refused = await post(url, alice, book, session);
      assert.equal(refused.status, 403);
      assert.match(
        refused.headers.get("www-authenticate") ?? "",
        /^Bearer error="insufficient_scope", .*scope="use write"/,
      );
      assert.deepEqual(await refused.json(), {
        jsonrpc: "2.0",
        id: 7,
        error: { code: -32600, message: "Expected the scope use write" },
      });
      assert.equal((await post(url, await token("alice", "use write"), book, session)).status, 200);
    });

  test("AUTH-69, AUTH-70: and without a handshake, whatever the headers say", async (t) => {
    const { url, token } = await office(t, { tools: { book: ["write"] } });
    const [message, headers] = call("book");
    assert.equal((await post(url, await token("alice"), message, headers)).status, 403);
    assert.equal((await post(url, await token("alice"), message, { ...headers, "Mcp-Name": "whoAmI" })).status, 403);
    assert.equal((await post(url, await token("alice", "write"), message, headers)).status, 200);
  });

  test("AUTH-69: one message of a batch is enough for a refusal", async (t) => {
    const { url, token } = await office(t, { methods: { "tools/list": ["list"] } });
    const alice = await token("alice");
    const opened = await post(url, alice, handshake("2025-03-26"));
    const session = { "Mcp-Session-Id": opened.headers.get("mcp-session-id") ?? "" };
    await opened.text();
    await post(url, alice, { jsonrpc: "2.0", method: "notifications/initialized" }, session);
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
    ];
    assert.equal((await post(url, alice, batch, session)).status, 403);
    assert.equal((await post(url, await token("alice", "list"), batch, session)).status, 200);
  });

  test("SEC-10: what one person was asked, another can't answer", async (t) => {
    const { url, token } = await office(t);
    const [alice, bob] = [await token("alice"), await token("bob")];
    const [message, headers] = call("confirm", { elicitation: {} });
    const first = (await (await post(url, alice, message, headers)).json()) as { result: { requestState: string } };
    const { requestState } = first.result;
    assert.equal(typeof requestState, "string");
    const inputResponses = { sure: { action: "accept", content: { sure: true } } };
    const again = { ...message, params: { ...message.params, requestState, inputResponses } };
    const stolen = (await (await post(url, bob, again, headers)).json()) as { error?: { code: number } };
    assert.equal(stolen.error?.code, -32602);
    const own = (await (await post(url, alice, again, headers)).json()) as { result?: { content: [{ text: string }] } };
    assert.equal(own.result?.content[0].text, "confirmed");
  });

  test("AUTH-83, AUTH-84: handlers see who asks, and no token that they could pass on", async (t) => {
    const { url, token, seen } = await office(t);
    const upstream = await site(t, () => ({ body: {} }));
    const alice = await token("alice");
    await (await post(url, alice, ...call("whoAmI"))).text();
    const { headers, auth } = seen[0] as HttpInfo;
    assert.equal(auth?.principal, "alice");
    // A handler that passes on all it has.
    const { host: _host, connection: _connection, "content-length": _length, ...rest } = headers;
    await fetch(upstream.origin, {
      method: "POST",
      headers: rest as Record<string, string>,
      body: JSON.stringify({ auth, headers }),
    });
    const [request] = upstream.requests;
    assert.ok(request && request.headers["mcp-name"] === "whoAmI");
    assert.ok(!JSON.stringify([request.headers, request.body]).includes(alice));
  });

  test("L18: the same holds behind Request and Response", async () => {
    const key = await signer("one");
    const audience = "https://mcp.example.com/mcp";
    const auth = verifyJwt({ issuer: ISSUER, audience, jwks: { keys: [{ ...key.jwk }] }, tools: { book: ["write"] } });
    const mcp = new McpServer({ name: "office", version: "1.0.0" });
    mcp.tool("book", {}, () => "booked");
    const handle = auth.handler(fetchHandler(mcp, { verify: auth.verify, hosts: ["mcp.example.com"] }));
    const send = async (scope?: string): Promise<Response> => {
      const [message, headers] = call("book");
      const token =
        scope === undefined ? undefined : await key.sign({ iss: ISSUER, aud: audience, sub: "alice", scope });
      const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const all = { "Content-Type": "application/json", ...headers, ...authorization };
      return await handle(new Request(audience, { method: "POST", headers: all, body: JSON.stringify(message) }));
    };
    assert.equal((await send()).status, 401);
    assert.equal((await send("")).status, 403);
    assert.equal((await send("write")).status, 200);
    assert.equal((await handle(new Request(auth.url))).status, 200);
  });

  test("AUTH-69: methods of a service that is no MCP server can need scopes too", async () => {
    const key = await signer("one");
    const audience = "http://localhost/rpc";
    const auth = verifyJwt({ issuer: ISSUER, audience, jwks: { keys: [{ ...key.jwk }] }, methods: { pay: ["pay"] } });
    const service = implement({ pay: () => "paid", look: () => "seen" });
    const handle = fetchHandler(service, { verify: auth.verify });
    const send = async (body: unknown, scope: string): Promise<number> => {
      const token = await key.sign({ iss: ISSUER, aud: audience, sub: "alice", scope });
      const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token}` };
      return (await handle(new Request(audience, { method: "POST", headers, body: JSON.stringify(body) }))).status;
    };
    const [look, pay] = ["look", "pay"].map((method, id) => ({ jsonrpc: "2.0", id, method }));
    assert.equal(await send(look, ""), 200);
    assert.equal(await send(pay, ""), 403);
    assert.equal(await send([look, pay], ""), 403);
    assert.equal(await send([look, pay], "pay"), 200);
    assert.equal(await send("no message", ""), 400);
  });
});

test("AEXT-02, AEXT-07: a client says with each request which extensions it has", async (t) => {
  const { url, token, seen } = await office(t);
  const capabilities = { extensions: { [CLIENT_CREDENTIALS]: {}, [ENTERPRISE_MANAGED]: {} } };
  const bodies: string[] = [];
  const Authorization = `Bearer ${await token("alice")}`;
  const tapped = (address: string, init: RequestInit): Promise<Response> => {
    bodies.push(String(init.body));
    return fetch(address, { ...init, headers: { ...(init.headers as Record<string, string>), Authorization } });
  };
  await using mcp = await connect(http(url, { fetch: tapped }), INFO, { capabilities });
  await mcp.callTool("whoAmI", {});
  assert.equal(seen.length, 1);
  const { params } = JSON.parse(bodies.at(-1) ?? "") as { params: { _meta: { [key: string]: unknown } } };
  assert.deepEqual(params._meta["io.modelcontextprotocol/clientCapabilities"], capabilities);
});
