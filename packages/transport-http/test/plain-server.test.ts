import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, describe, test } from "node:test";
import { type Service, implement } from "@x/jsonrpc";
import { rpcService } from "../../../fixtures/rpc-service.ts";
import { runVectors } from "../../../fixtures/vectors/run.ts";
import { type HttpInfo, type HttpServerOptions, fetchHandler, nodeListener } from "../src/index.ts";
import { eventually, listening, pause, postBytes, raw, statusOf } from "./serve.ts";

const confused = (): never => {
  throw new TypeError("no such params");
};

const quiet = { onError: () => {} };

type Post = (body: string, headers?: Record<string, string>) => Promise<Response>;

/** Both entries behave alike: each test runs against either. */
const entries: [string, (t: TestContext, service: Service, options?: HttpServerOptions) => Promise<Post>][] = [
  [
    "node listener",
    async (t, service, options) => {
      const port = await listening(t, nodeListener(service, options));
      return (body, headers) =>
        fetch(`http://localhost:${port}/rpc?x=1`, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body });
    },
  ],
  [
    "fetch handler",
    async (_t, service, options) => {
      const handle = fetchHandler(service, options);
      return (body, headers) =>
        handle(
          new Request("http://localhost:3000/rpc?x=1", { method: "POST", headers: { ...JSON_TYPE, ...headers }, body }),
        );
    },
  ],
];

const JSON_TYPE = { "Content-Type": "application/json" };
const ECHO = '{"jsonrpc":"2.0","id":1,"method":"echo","params":[1]}';

for (const [name, start] of entries)
  describe(`plain JSON-RPC, ${name}`, () => {
    test("the vectors hold", async (t) => {
      const post = await start(t, rpcService(quiet));
      await runVectors(async (text) => {
        const response = await post(text);
        const body = await response.text();
        assert.equal(response.status === 204, body === "");
        return body === "" ? undefined : body;
      });
    });

    test("a call is answered with 200 and its length", async (t) => {
      const post = await start(t, rpcService());
      const response = await post(ECHO);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.deepEqual(await response.json(), { jsonrpc: "2.0", id: 1, result: [1] });
    });

    test("an error of the call is an answer like any other", async (t) => {
      const post = await start(t, rpcService());
      assert.equal((await post('{"jsonrpc":"2.0","id":1,"method":"taken"}')).status, 200);
      assert.equal((await post('{"jsonrpc":"2.0","id":1,"method":"foobar"}')).status, 200);
    });

    test("what is no message gets 400", async (t) => {
      const post = await start(t, rpcService(quiet));
      for (const [body, code] of [
        ["{", -32700],
        ["", -32700],
        ["too large", -32700],
        ["[]", -32600],
        ['{"jsonrpc":"1.0","id":1,"method":"echo"}', -32600],
      ] as const) {
        const response = await post(body);
        assert.equal(response.status, 400, body);
        assert.equal(((await response.json()) as { error: { code: number } }).error.code, code);
      }
    });

    test("notifications alone get 204 and no body", async (t) => {
      const post = await start(t, rpcService());
      for (const body of ['{"jsonrpc":"2.0","method":"update"}', '[{"jsonrpc":"2.0","method":"update"}]']) {
        const response = await post(body);
        assert.equal(response.status, 204);
        assert.equal(await response.text(), "");
      }
    });

    test("the content type has to be JSON in UTF-8", async (t) => {
      const post = await start(t, rpcService());
      for (const [type, status] of [
        ["application/json", 200],
        ["application/json; charset=utf-8", 200],
        ["Application/JSON;charset=UTF-8", 200],
        ["application/json-rpc", 200],
        ["application/json; charset=latin1", 415],
        ["text/plain", 415],
        ["application/jsonp", 415],
        ["", 415],
      ] as const) {
        const response = await post(ECHO, { "Content-Type": type });
        assert.equal(response.status, status, type);
        const { error } = (await response.json()) as { error?: { code: number } };
        assert.equal(error?.code, status === 200 ? undefined : -32600);
      }
      assert.equal((await post(ECHO, { "Content-Encoding": "gzip" })).status, 415);
    });

    test("other methods get 405 and are told which there are", async (t) => {
      const service = rpcService();
      const handle = fetchHandler(service);
      const port = await listening(t, nodeListener(service));
      for (const method of ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]) {
        const response = await (name === "fetch handler"
          ? handle(new Request("http://localhost/", { method }))
          : fetch(`http://localhost:${port}`, { method }));
        assert.equal(response.status, 405, method);
        assert.equal(response.headers.get("allow"), "POST");
      }
    });

    test("a body over the limit gets 413, with and without Content-Length", async (t) => {
      const post = await start(t, rpcService(), { maxBody: 1000 });
      const long = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "echo", params: ["x".repeat(1000)] });
      const response = await post(long);
      assert.equal(response.status, 413);
      const { error } = (await response.json()) as { error: { message: string } };
      assert.equal(error.message, "The body is longer than 1000 bytes");
      assert.equal((await post(ECHO)).status, 200);
    });

    test("M11: handlers see headers, URL and principal, each of its own request", async (t) => {
      const service = implement({
        async who(_params: undefined, { info }) {
          const { headers, url, auth } = info as HttpInfo;
          await pause(5);
          return [headers["x-who"], url.pathname + url.search, auth?.principal];
        },
      });
      const post = await start(t, service, { verify: (request) => ({ principal: request.header("x-who") ?? "" }) });
      const answers = await Promise.all(
        ["a", "b", "c"].map(async (who) => {
          const response = await post('{"jsonrpc":"2.0","id":1,"method":"who"}', { "X-Who": who });
          return ((await response.json()) as { result: unknown }).result;
        }),
      );
      assert.deepEqual(
        answers,
        ["a", "b", "c"].map((who) => [who, "/rpc?x=1", who]),
      );
    });

    test("HTTP-07 SSE-08: verify refuses with a status and headers of its own", async (t) => {
      const post = await start(t, rpcService(), {
        verify: () => ({ status: 401, headers: { "WWW-Authenticate": "Bearer" } }),
      });
      const response = await post(ECHO);
      assert.equal(response.status, 401);
      assert.equal(response.headers.get("www-authenticate"), "Bearer");
      assert.deepEqual(await response.json(), {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "Unauthorized" },
      });
    });

    test("a principal may be denied a message of the body, and a batch with it", async (t) => {
      const post = await start(t, rpcService(quiet), {
        verify: () => ({
          principal: "alice",
          permit: (message) =>
            "method" in message && message.method === "taken"
              ? { status: 403, headers: { "WWW-Authenticate": 'Bearer error="insufficient_scope"' }, message: "no" }
              : undefined,
        }),
      });
      assert.equal((await post(ECHO)).status, 200);
      assert.equal((await post("{")).status, 400);
      const taken = '{"jsonrpc":"2.0","id":7,"method":"taken"}';
      for (const body of [taken, `[${ECHO},${taken}]`]) {
        const response = await post(body);
        assert.equal(response.status, 403);
        assert.match(response.headers.get("www-authenticate") ?? "", /insufficient_scope/);
        assert.deepEqual(await response.json(), { jsonrpc: "2.0", id: 7, error: { code: -32600, message: "no" } });
      }
    });

    test("permit that throws is answered with 500, and reported", async (t) => {
      const reported: unknown[] = [];
      const post = await start(t, rpcService(quiet), {
        verify: () => ({ principal: "alice", permit: confused }),
        onError: (error) => void reported.push(String(error)),
      });
      const response = await post(ECHO);
      assert.equal(response.status, 500);
      await response.text();
      assert.deepEqual(reported, ["TypeError: no such params"]);
    });

    test("verify that throws is answered with 500, and reported", async (t) => {
      const reported: unknown[] = [];
      const post = await start(t, rpcService(), {
        verify: () => Promise.reject(new Error("secret")),
        onError: (error) => void reported.push(error),
      });
      const response = await post(ECHO);
      assert.equal(response.status, 500);
      assert.doesNotMatch(await response.text(), /secret/);
      assert.equal(reported.length, 1);
    });

    test("close waits for calls, then refuses", async (t) => {
      let begin!: () => void;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const slow = (): Promise<void> => {
        begin();
        return pause(50);
      };
      const service = implement({ slow });
      const handle = fetchHandler(service);
      const listener = nodeListener(service);
      const port = await listening(t, listener);
      const call = (): Promise<Response> =>
        name === "fetch handler"
          ? handle(new Request("http://localhost/", { method: "POST", headers: JSON_TYPE, body: SLOW }))
          : fetch(`http://localhost:${port}`, { method: "POST", headers: JSON_TYPE, body: SLOW });
      const running = call();
      await begun;
      await (name === "fetch handler" ? handle : listener).close();
      assert.equal((await running).status, 200);
      const refused = await call();
      assert.equal(refused.status, 503);
      assert.match(await refused.text(), /The server is closing/);
    });
  });

const SLOW = '{"jsonrpc":"2.0","id":1,"method":"slow"}';

describe("plain JSON-RPC over a socket", () => {
  test("health is answered where it is asked for", async (t) => {
    const port = await listening(t, nodeListener(rpcService(), { health: true }));
    const response = await fetch(`http://localhost:${port}`);
    assert.deepEqual([response.status, await response.json()], [200, { status: "ok" }]);
  });

  test("only the given path is served", async (t) => {
    const port = await listening(t, nodeListener(rpcService(), { path: "/rpc" }));
    const post = (path: string): Promise<Response> =>
      fetch(`http://localhost:${port}${path}`, { method: "POST", headers: JSON_TYPE, body: ECHO });
    assert.equal((await post("/rpc?a=b")).status, 200);
    for (const path of ["/", "/rpc/", "/rpcx", "//rpc", "/%72pc"]) assert.equal((await post(path)).status, 404, path);
  });

  test("invalid UTF-8 gets 400", async (t) => {
    const port = await listening(t, nodeListener(rpcService()));
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"echo","params":["'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"]}'),
    ]);
    const head = postBytes("", { "Content-Length": String(body.length) });
    const response = await raw(port, Buffer.concat([Buffer.from(head), body]));
    assert.equal(statusOf(response), 400);
    assert.match(response, /"code":-32700/);
  });

  test("a body in many pieces, split inside a character, arrives whole", async (t) => {
    const port = await listening(t, nodeListener(rpcService()));
    const bytes = Buffer.from(postBytes('{"jsonrpc":"2.0","id":1,"method":"echo","params":["é€😀"]}'));
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => (text += data.toString()));
    for (const byte of bytes) {
      socket.write(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    await new Promise((resolve) => socket.on("close", resolve));
    assert.match(text, /"result":\["é€😀"\]/);
  });

  test("D16: a chunked body over the limit gets 413 before it has ended", async (t) => {
    const port = await listening(t, nodeListener(rpcService(), { maxBody: 10_000 }));
    const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`;
    const response = await raw(port, postBytes("", { "Transfer-Encoding": "chunked" }) + chunk, /longer than 10000/);
    assert.equal(statusOf(response), 413);
  });

  test("D16: a long Content-Length gets 413 before the body comes", async (t) => {
    const port = await listening(t, nodeListener(rpcService()));
    const response = await raw(port, postBytes("x", { "Content-Length": "5000000" }), /longer than 4194304/);
    assert.equal(statusOf(response), 413);
    assert.match(response, /Connection: close/i);
  });

  test("D16: a client that sends all of a body that is too long sees the 413", async (t) => {
    const port = await listening(t, nodeListener(rpcService()));
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "echo", params: ["x".repeat(5_000_000)] });
    const response = await fetch(`http://localhost:${port}`, { method: "POST", headers: JSON_TYPE, body });
    assert.equal(response.status, 413);
    const raised = await listening(t, nodeListener(rpcService(), { maxBody: 6_000_000 }));
    assert.equal((await fetch(`http://localhost:${raised}`, { method: "POST", headers: JSON_TYPE, body })).status, 200);
  });

  test("a body that comes too slowly gets 408, and its connection is closed", async (t) => {
    const port = await listening(t, nodeListener(rpcService(), { bodyTimeout: 50 }));
    const response = await raw(port, postBytes("{", { "Content-Length": "50" }));
    assert.equal(statusOf(response), 408);
  });

  test("a Content-Length that lies gets its request in trouble, not the server", async (t) => {
    const port = await listening(t, nodeListener(rpcService()));
    assert.equal(statusOf(await raw(port, postBytes(ECHO, { "Content-Length": "10" }))), 400);
    const both = postBytes(ECHO, { "Content-Length": "5", "Transfer-Encoding": "chunked" });
    assert.equal(statusOf(await raw(port, both)), 400);
    const response = await fetch(`http://localhost:${port}`, { method: "POST", headers: JSON_TYPE, body: ECHO });
    assert.equal(response.status, 200);
  });

  test("a client that vanishes has its calls aborted", async (t) => {
    let started = false;
    let aborted: unknown;
    const service = implement({
      wait: (_params: undefined, { signal }) =>
        new Promise((resolve) => {
          started = true;
          signal.addEventListener("abort", () => {
            aborted = signal.reason;
            resolve(undefined);
          });
        }),
    });
    const port = await listening(t, nodeListener(service));
    const controller = new AbortController();
    const call = calling(port, "wait", controller.signal);
    await eventually(() => started, "the call");
    controller.abort();
    await assert.rejects(call);
    await eventually(() => aborted !== undefined, "the abort");
    assert.equal((aborted as Error).message, "The client has gone");
  });

  test("calls that outlast the deadline are aborted when the server closes", async (t) => {
    let isWaiting = false;
    const service = implement({
      wait: (_params: undefined, { signal }) =>
        new Promise((resolve) => {
          isWaiting = true;
          signal.addEventListener("abort", () => resolve("aborted"));
        }),
    });
    const listener = nodeListener(service);
    const port = await listening(t, listener);
    const call = calling(port, "wait");
    await eventually(() => isWaiting, "the call");
    await listener.close({ deadline: 20 });
    assert.deepEqual(await (await call).json(), { jsonrpc: "2.0", id: 1, result: "aborted" });
  });

  test("handlers that ignore their signal don't keep a server from closing", async (t) => {
    let finish!: (value: string) => void;
    const service = implement({ stay: () => new Promise<string>((resolve) => (finish = resolve)) });
    const listener = nodeListener(service);
    const port = await listening(t, listener);
    const call = calling(port, "stay");
    await eventually(() => finish !== undefined, "the call");
    await listener.close({ deadline: 20 });
    const response = await call;
    assert.equal(response.status, 503);
    assert.match(await response.text(), /The server has closed/);
    finish("too late");
    await pause(10);
  });

  test("a server that is closed twice is closed for both", async (t) => {
    let finish!: (value: string) => void;
    const listener = nodeListener(implement({ stay: () => new Promise<string>((resolve) => (finish = resolve)) }));
    const port = await listening(t, listener);
    const call = calling(port, "stay");
    await eventually(() => finish !== undefined, "the call");
    let closed = 0;
    for (let i = 0; i < 2; i++) void listener.close({ deadline: 600_000 }).then(() => closed++);
    await pause(10);
    finish("done");
    assert.equal((await call).status, 200);
    await eventually(() => closed === 2, "the end of both");
  });

  test("who is still being verified when the server closes is not served", async (t) => {
    let allow!: (auth: { principal: string }) => void;
    let calls = 0;
    const listener = nodeListener(implement({ count: () => ++calls }), {
      verify: () => new Promise((resolve) => (allow = resolve)),
    });
    const port = await listening(t, listener);
    const call = calling(port, "count");
    await eventually(() => allow !== undefined, "the request");
    await listener.close();
    allow({ principal: "late" });
    assert.equal((await call).status, 503);
    assert.equal(calls, 0);
  });

  test("calls that wait for their turn on a connection hear that it has ended", async (t) => {
    let started = 0;
    let aborted = 0;
    const service = implement({
      wait: (_params: undefined, { signal }) =>
        new Promise(() => {
          started++;
          signal.addEventListener("abort", () => aborted++);
        }),
    });
    const port = await listening(t, nodeListener(service));
    const one = postBytes('{"jsonrpc":"2.0","id":1,"method":"wait"}', { Connection: "keep-alive" });
    const socket = connect(port, "127.0.0.1");
    socket.write(one + one + one);
    await eventually(() => started === 3, "the calls");
    socket.destroy();
    await eventually(() => aborted === 3, "the aborts");
    await pause(10);
    assert.equal(aborted, 3);
  });

  test("a body that breaks off ends a fetch handler's response too", async () => {
    const handle = fetchHandler(rpcService());
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
    const init = { method: "POST", headers: JSON_TYPE, body, duplex: "half" } as RequestInit;
    assert.equal((await handle(new Request("http://localhost/", init))).status, 499);
  });

  test("equal ids of two clients don't meet", async (t) => {
    const service = implement({
      say: async ({ ms, text }: { ms: number; text: string }) => pause(ms).then(() => text),
    });
    const port = await listening(t, nodeListener(service));
    const say = async (ms: number, text: string): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "say", params: { ms, text } });
      const response = await fetch(`http://localhost:${port}`, { method: "POST", headers: JSON_TYPE, body });
      return ((await response.json()) as { result: unknown }).result;
    };
    assert.deepEqual(await Promise.all([say(50, "a"), say(0, "b")]), ["a", "b"]);
  });
});

/** Calls a method without parameters. */
const calling = (port: number, method: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`http://localhost:${port}`, {
    method: "POST",
    headers: JSON_TYPE,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method }),
    signal: signal ?? null,
  });
