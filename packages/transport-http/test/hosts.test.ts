import assert from "node:assert/strict";
import { type TestContext, describe, test } from "node:test";
import { rpcService } from "../../../fixtures/rpc-service.ts";
import { type HttpServerOptions, nodeListener } from "../src/index.ts";
import { listening, postBytes, raw, statusOf } from "./serve.ts";

const ECHO = '{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}';

/** Posts from a socket, where any header can be said; gives the whole response. */
async function poster(
  t: TestContext,
  options?: HttpServerOptions,
): Promise<(headers: { readonly [name: string]: string }) => Promise<string>> {
  const port = await listening(t, nodeListener(rpcService(), options));
  return (headers) => raw(port, postBytes(ECHO, headers));
}

interface Row {
  readonly value: string;
  readonly status: 200 | 403;
}

const allowed = (...values: string[]): Row[] => values.map((value) => ({ value, status: 200 }));
const refused = (...values: string[]): Row[] => values.map((value) => ({ value, status: 403 }));

describe("Host", () => {
  for (const { value, status } of [
    ...allowed("localhost", "localhost:6575", "LOCALHOST:1", "127.0.0.1:3000", "[::1]", "[::1]:3000"),
    ...allowed("[0:0:0:0:0:0:0:1]:3000", "[::ffff:127.0.0.1]:3000", "[::FFFF:7f00:1]"),
    ...refused(
      "evil.example.com",
      "localhost.evil.com",
      "evil.com:localhost",
      "localhost@evil.com",
      "localhost#evil.com",
    ),
    ...refused("localhost/evil.com", "evil.com\\@localhost", "::1", "[::1", "0.0.0.0", "[::2]", "localhost, evil.com"),
    ...refused("localhost.", "127.0.0.2", "localhost:port", "localhost:123456"),
  ])
    test(`D12: ${value} gets ${status}`, async (t) => {
      const post = await poster(t);
      assert.equal(statusOf(await post({ Host: value })), status);
    });

  test("D12: names are given with or without a port, in any case", async (t) => {
    const post = await poster(t, { hosts: ["MCP.example.com", "[::2]", "10.0.0.1:8080"] });
    for (const host of ["mcp.example.com", "mcp.example.com:8443", "[::2]:1", "10.0.0.1", "10.0.0.1:1"])
      assert.equal(statusOf(await post({ Host: host })), 200, host);
    for (const host of ["localhost", "example.com", "xmcp.example.com"])
      assert.equal(statusOf(await post({ Host: host })), 403, host);
  });

  test("any lets everybody in", async (t) => {
    const post = await poster(t, { hosts: "any" });
    assert.equal(statusOf(await post({ Host: "evil.example.com", Origin: "http://evil.example.com" })), 200);
  });

  test("HTTP-05: the refusal says what to do, with a JSON-RPC body", async (t) => {
    const post = await poster(t);
    const response = await post({ Host: "my.example.com" });
    assert.deepEqual(JSON.parse(response.slice(response.indexOf("\r\n\r\n"))), {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32600,
        message: 'The host "my.example.com" is not served here; name it in the option "hosts"',
      },
    });
  });
});

describe("Origin", () => {
  for (const { value, status } of [
    ...allowed("http://localhost", "http://localhost:6274", "https://127.0.0.1:1", "http://[::1]:8080"),
    ...refused(
      "http://evil.example.com",
      "null",
      "",
      "localhost",
      "file://",
      "ftp://localhost",
      "http://localhost.evil.com",
    ),
    ...refused(
      "http://localhost@evil.com",
      "http://evil.com#localhost",
      "http://localhost, http://evil.com",
      "http://",
    ),
  ])
    test(`HTTP-03 HTTP-04 SEC-01: ${JSON.stringify(value)} gets ${status}`, async (t) => {
      const post = await poster(t);
      assert.equal(statusOf(await post({ Origin: value })), status);
    });

  test("pages are listed by origin, or by host name for any scheme and port", async (t) => {
    const post = await poster(t, { origins: ["https://app.example.com", "tools.example.com"] });
    const from = async (origin: string): Promise<number> => statusOf(await post({ Origin: origin }));
    assert.equal(await from("https://app.example.com"), 200);
    assert.equal(await from("https://APP.example.com:443"), 200);
    assert.equal(await from("http://app.example.com"), 403);
    assert.equal(await from("https://app.example.com:444"), 403);
    assert.equal(await from("http://tools.example.com:81"), 200);
    assert.equal(await from("http://localhost"), 403);
  });
});

describe("CORS", () => {
  const PREFLIGHT = [
    "OPTIONS / HTTP/1.1",
    "Host: localhost",
    "Origin: http://localhost:6274",
    "Access-Control-Request-Method: POST",
    "Access-Control-Request-Headers: authorization,content-type,mcp-protocol-version,mcp-session-id,mcp-method,mcp-name,mcp-param-region,last-event-id",
    "Connection: close",
    "\r\n",
  ].join("\r\n");

  test("D13: a preflight is allowed every header it asks for", async (t) => {
    const port = await listening(t, nodeListener(rpcService(), { cors: true }));
    const response = await raw(port, PREFLIGHT);
    assert.equal(statusOf(response), 204);
    assert.match(response, /^Access-Control-Allow-Origin: http:\/\/localhost:6274\r$/im);
    assert.match(response, /^Access-Control-Allow-Methods: POST\r$/im);
    assert.match(response, /^Access-Control-Allow-Headers: authorization,.*mcp-param-region,last-event-id\r$/im);
    assert.match(response, /^Vary: Origin\r$/im);
  });

  test("D13: an answer can be read by the page, with the headers it needs", async (t) => {
    const post = await poster(t, { cors: true });
    const response = await post({ Origin: "http://localhost:6274" });
    assert.match(response, /^Access-Control-Allow-Origin: http:\/\/localhost:6274\r$/im);
    assert.match(response, /^Access-Control-Expose-Headers: WWW-Authenticate/im);
    assert.doesNotMatch(response, /Allow-Credentials/i);
  });

  test("refusals after the origin's check can be read too", async (t) => {
    const post = await poster(t, { cors: true, verify: () => ({ status: 401 }) });
    const response = await post({ Origin: "http://localhost:6274" });
    assert.equal(statusOf(response), 401);
    assert.match(response, /^Access-Control-Allow-Origin: http:\/\/localhost:6274\r$/im);
  });

  test("a page that may not ask may not read either", async (t) => {
    const post = await poster(t, { cors: true });
    const response = await post({ Origin: "http://evil.example.com" });
    assert.equal(statusOf(response), 403);
    assert.doesNotMatch(response, /Access-Control/i);
  });

  test("without the option there is none of it", async (t) => {
    const port = await listening(t, nodeListener(rpcService()));
    const response = await raw(port, PREFLIGHT);
    assert.equal(statusOf(response), 405);
    assert.doesNotMatch(response, /Access-Control/i);
  });
});
