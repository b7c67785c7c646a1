import assert from "node:assert/strict";
import { type TestContext, describe, test } from "node:test";
import {
  ClosedError,
  InvalidResponseError,
  type Message,
  RpcError,
  type Transport,
  createPeer,
  isNotification,
  isRequest,
  stringify,
} from "@x/jsonrpc";
import { type Rpc, rpcService } from "../../../fixtures/rpc-service.ts";
import { runVectors, vectors } from "../../../fixtures/vectors/run.ts";
import { HttpError, type HttpOptions, StreamError, http, nodeListener } from "../src/index.ts";
import { type Asked, type Script, scripted } from "./scripted.ts";
import { eventually, freePort, listening, pause } from "./serve.ts";

const quiet = { onError: () => {} };

async function served(t: TestContext, options?: HttpOptions): Promise<Transport> {
  const port = await listening(t, nodeListener(rpcService(quiet)));
  return http(`http://localhost:${port}`, options);
}

/** A peer that talks to a script. */
async function talking(t: TestContext, script: Script, options?: HttpOptions) {
  const server = await scripted(t, script);
  const peer = createPeer(http(server.url, options), quiet);
  t.after(() => peer.close());
  return { peer, server };
}

describe("plain JSON-RPC client", () => {
  test("may be closed before it is opened", async () => {
    await http("http://localhost:1", { closeTimeout: Infinity }).close();
  });

  test("calls, notifications, errors", async (t) => {
    const peer = createPeer<Rpc>(await served(t));
    assert.equal(await peer.request("subtract", [42, 23]), 19);
    await peer.notify("update");
    await assert.rejects(peer.request("taken"), { code: -32001, data: { conflict: "14:00-15:00" } });
    await assert.rejects(peer.request("boom"), { code: -32603, message: "Internal error" });
    await peer.close();
  });

  test("batches", async (t) => {
    const peer = createPeer<Rpc>(await served(t));
    const answers = await peer.batch((batch) => [
      batch.request("sum", [1, 2]),
      batch.request("get_data"),
      batch.notify("update"),
    ]);
    assert.deepEqual(answers, [3, ["hello", 5], undefined]);
    await assert.rejects(
      peer.batch((batch) => [batch.request("sum", [1]), batch.request("taken")]),
      RpcError,
    );
    await peer.close();
  });

  test("a member of a batch that is given up leaves the others alone; the last one ends the request", async (t) => {
    const peer = createPeer<Rpc>(await served(t));
    const calls: Promise<unknown>[] = [];
    const [given, kept] = [{ timeout: 30 }, {}];
    await peer.batch((batch) => {
      for (const options of [given, kept]) calls.push(batch.request("sleep", { ms: 150 }, options));
      return [];
    });
    await assert.rejects(calls[0]!, { name: "TimeoutError" });
    await calls[1];
    await peer.close();
    let isGone = false;
    const { peer: other } = await talking(t, (_asked, response) => void response.on("close", () => (isGone = true)));
    const both = other.batch((batch) => [batch.request("a", [], given), batch.request("b", [], given)]);
    await assert.rejects(both, { name: "TimeoutError" });
    await eventually(() => isGone, "the end of the request");
  });

  test("the vectors hold, as far as they are messages that a client sends", async (t) => {
    const transport = await served(t);
    let replies: string[] = [];
    void transport.open((message) => void replies.push(stringify(message as Message)));
    const rows = vectors.filter(({ send }) => isSendable(send));
    assert.ok(rows.length > 10);
    await runVectors(async (text) => {
      replies = [];
      await transport.send(JSON.parse(text) as Message);
      return replies[0];
    }, rows);
    await transport.close();
  });

  test("a call that is aborted closes its connection, and the server stops", async (t) => {
    let gone = false;
    const { peer, server } = await talking(t, (_asked, response) => {
      response.on("close", () => (gone = true));
    });
    const controller = new AbortController();
    const call = peer.request("slow", undefined, { signal: controller.signal });
    await eventually(() => server.asked.length === 1);
    controller.abort();
    await assert.rejects(call, { name: "AbortError" });
    await eventually(() => gone);
    assert.equal(server.asked.length, 1);
  });

  test("a server that isn't there: the call certainly never left", async () => {
    const peer = createPeer(http(`http://localhost:${await freePort()}/rpc?key=secret`), quiet);
    const error = await peer.request("x").catch((reason: unknown) => reason);
    assert.ok(error instanceof ClosedError && !error.sent);
    assert.match(error.message, /^POST http:\/\/localhost:\d+\/rpc failed: .*ECONNREFUSED/);
    await peer.close();
  });

  test("a connection that breaks before the answer: the call may have run", async (t) => {
    const { peer } = await talking(t, (_asked, response) => void response.destroy());
    const error = await peer.request("x").catch((reason: unknown) => reason);
    assert.ok(error instanceof ClosedError && error.sent, String(error));
  });

  test("one call's failure is no other's", async (t) => {
    const { peer } = await talking(t, ({ body }, response) =>
      body["method"] === "bad" ? void response.destroy() : [200, { jsonrpc: "2.0", id: body["id"], result: 1 }],
    );
    const bad = peer.request("bad");
    const good = peer.request("good");
    await assert.rejects(bad);
    assert.equal(await good, 1);
    assert.equal(await peer.request("good"), 1);
  });

  const refusals: [string, Script, (error: unknown) => boolean][] = [
    [
      "a status and no JSON",
      () => [503, "overloaded"],
      (e) => e instanceof HttpError && e.status === 503 && /503 Service Unavailable - overloaded/.test(e.message),
    ],
    [
      "401, whatever its body",
      ({ body }) => [401, { jsonrpc: "2.0", id: body["id"], error: { code: -32000, message: "Unauthorized" } }],
      (e) => e instanceof HttpError && e.status === 401,
    ],
    [
      "a JSON-RPC error with its id",
      ({ body }) => [400, { jsonrpc: "2.0", id: body["id"], error: { code: -32600, message: "no" } }],
      (e) => RpcError.is(e) && e.code === -32600,
    ],
    [
      "a JSON-RPC error without an id",
      () => [400, { jsonrpc: "2.0", error: { code: -32000, message: "Bad Request" } }],
      (e) => RpcError.is(e) && e.code === -32000,
    ],
    [
      "a JSON-RPC error with the id null, and 200",
      () => [200, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "no" } }],
      (e) => RpcError.is(e) && e.code === -32700,
    ],
    ["no body", () => [200], (e) => e instanceof HttpError],
    ["204 to a call", () => [204], (e) => e instanceof HttpError],
    ["HTML", () => [200, "<html>", { "Content-Type": "text/html" }], (e) => e instanceof InvalidResponseError],
    ["another's answer", () => [200, { jsonrpc: "2.0", id: "other", result: 1 }], (e) => e instanceof StreamError],
  ];
  for (const [what, script, expected] of refusals)
    test(`answered with ${what}`, async (t) => {
      const { peer } = await talking(t, script);
      const error = await peer.request("x").catch((reason: unknown) => reason);
      assert.ok(expected(error), String(error));
    });

  test("an answer that is too long is given up", async (t) => {
    for (const headers of [{ "Content-Length": "300" }, { "Transfer-Encoding": "chunked" }]) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(300 - 36) });
      assert.equal(body.length, 300);
      const { peer } = await talking(t, () => [200, body, { "Content-Type": "application/json", ...headers }], {
        maxBytes: 299,
      });
      await assert.rejects(peer.request("x"), /more than 299 bytes/);
    }
  });

  test("C20 C18: headers go with each request; a call's own come before, the protocol's last", async (t) => {
    let count = 0;
    const { peer, server } = await talking(t, ({ body }) => [200, { jsonrpc: "2.0", id: body["id"], result: 1 }], {
      headers: async () => ({ "X-A": `${++count}`, Accept: "text/plain", Authorization: "Bearer new" }),
    });
    await peer.request("x", undefined, {
      headers: { "X-B": "own", authorization: "Bearer own", "content-type": "a/b" },
    });
    await peer.request("x");
    assert.deepEqual(
      server.asked.map(({ headers }) => [headers["x-a"], headers["x-b"], headers["authorization"], headers.accept]),
      [
        ["1", "own", "Bearer own", "application/json"],
        ["2", undefined, "Bearer new", "application/json"],
      ],
    );
    // However they are spelt.
    for (const { headers } of server.asked) assert.equal(headers["content-type"], "application/json");
  });

  test("a fetch of one's own sends everything", async (t) => {
    const seen: string[] = [];
    const { peer } = await talking(t, ({ body }) => [200, { jsonrpc: "2.0", id: body["id"], result: 1 }], {
      fetch: (url, init) => {
        seen.push(`${init.method} ${new URL(url).pathname}`);
        return fetch(url, { ...init, redirect: "error" });
      },
    });
    await peer.request("x");
    assert.deepEqual(seen, ["POST /mcp"]);
  });

  test("notifications: any 2xx will do, whatever the body; anything else rejects", async (t) => {
    let status = 200;
    const { peer } = await talking(t, () => [status, "Accepted", { "Content-Type": "text/plain" }]);
    for (status of [200, 202, 201]) await peer.notify("x");
    status = 500;
    await assert.rejects(peer.notify("x"), HttpError);
  });

  test("close: what was sent arrives, what waits rejects, and nothing can be sent any more", async (t) => {
    const { peer, server } = await talking(t, ({ body }, response) =>
      body["method"] === "slow"
        ? undefined
        : void setTimeout(() => {
            response.writeHead(204);
            response.end();
          }, 50),
    );
    const waiting = peer.request("slow");
    void peer.notify("note");
    await eventually(() => server.asked.length === 2);
    const closed = peer.close();
    await assert.rejects(waiting, ClosedError);
    await closed;
    await assert.rejects(peer.notify("late"), ClosedError);
    assert.equal(server.asked.length, 2);
  });
});

describe("redirects", () => {
  test("within the origin the call goes along, as it is", async (t) => {
    for (const status of [301, 302, 307, 308]) {
      const { peer, server } = await talking(t, (asked) =>
        asked.url === "/mcp" ? [status, undefined, { Location: "/rpc/" }] : answered(asked),
      );
      assert.equal(await peer.request("x", [1]), "/rpc/");
      assert.deepEqual(
        server.asked.map(({ method }) => method),
        ["POST", "POST"],
      );
      assert.deepEqual(server.asked[1]?.body["params"], [1]);
    }
  });

  test("to another origin nothing goes: no header, no body, no request", async (t) => {
    const elsewhere = await scripted(t, () => [200]);
    const { peer } = await talking(t, () => [307, undefined, { Location: elsewhere.url }], {
      headers: { Authorization: "Bearer secret" },
    });
    await assert.rejects(peer.request("x"), /was redirected to http:\/\/localhost:\d+, which is not followed/);
    assert.equal(elsewhere.asked.length, 0);
  });

  test("a circle ends", async (t) => {
    const { peer, server } = await talking(t, () => [307, undefined, { Location: "/mcp" }]);
    await assert.rejects(peer.request("x"), HttpError);
    assert.ok(server.asked.length < 10);
  });

  test("303, which would make it a GET, and one to nowhere are refused", async (t) => {
    const answers: ReturnType<Script>[] = [
      [303, undefined, { Location: "/rpc/" }],
      [307],
      [307, undefined, { Location: "http://" }],
    ];
    for (const answer of answers) {
      const { peer, server } = await talking(t, () => answer);
      await assert.rejects(peer.request("x"), HttpError);
      await pause(5);
      assert.equal(server.asked.length, 1);
    }
  });
});

/** Is this what a connection of this package would send: a message, or a batch of them? */
function isSendable(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    const messages = Array.isArray(value) ? value : [value];
    return (
      messages.length > 0 && messages.every((each) => isNotification(each) || (isRequest(each) && each.id !== null))
    );
  } catch {
    return false;
  }
}

const answered = ({ url, body }: Asked): [number, object] => [200, { jsonrpc: "2.0", id: body["id"], result: url }];
