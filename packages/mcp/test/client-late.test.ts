import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AbortError, RpcError } from "@x/jsonrpc";
import { connect } from "@x/mcp/client";
import { fallBack } from "../src/client/fallback.ts";
import type { Agreement, Link } from "../src/client/lifecycle.ts";
import { Scripted, info, legacy, modern } from "./scripted.ts";

/** A link over which nothing may be sent. */
const silent = new Proxy({} as Link, {
  get: (_target, name) => assert.fail(`${String(name)} was asked of the link`),
});

const start = (): Scripted["transport"] => new Scripted(legacy).transport;

/** Gives a probe up that nobody should. */
const end = (): void => assert.fail("the probe was given up");

describe("a client, while it loads what a handshake takes", () => {
  test("is given up without having said anything", async () => {
    const server = new Scripted(legacy);
    const stop = new AbortController();
    const connecting = connect(server.transport, info, { lifecycle: "handshake", signal: stop.signal });
    stop.abort(new Error("enough"));
    await assert.rejects(connecting, (error) => error instanceof AbortError && error.cause === stop.signal.reason);
    assert.deepEqual(server.methods, []);
  });

  test("loses its server, and says why", async () => {
    const server = new Scripted(legacy);
    const connecting = connect(server.transport, info, { lifecycle: "handshake" });
    server.end();
    await assert.rejects(connecting, /ended/);
    assert.deepEqual(server.methods, []);
  });

  test("is given up after the server has refused the probe", async () => {
    const stop = new AbortController();
    const server = new Scripted({
      ...legacy,
      "server/discover": () => {
        setImmediate(() => stop.abort());
        return new RpcError(-32601, "Method not found");
      },
      initialize: () => undefined,
    });
    await assert.rejects(connect(server.transport, info, { signal: stop.signal }), AbortError);
    assert.ok(!server.methods.includes("notifications/initialized"));
  });

  test("is given up at a server that it has met before, and starts it no second time", async () => {
    let started = 0;
    const again = (): Scripted["transport"] => {
      started++;
      return start();
    };
    await (await connect(again, info)).close();
    const stop = new AbortController();
    const connecting = connect(again, info, { signal: stop.signal });
    stop.abort();
    await assert.rejects(connecting, AbortError);
    assert.equal(started, 2);
  });

  test("doesn't get in the way of another one, to the same server or another", async () => {
    const clients = await Promise.all([
      connect(start, info),
      connect(start, info),
      connect(new Scripted(legacy).transport, info, { lifecycle: "handshake" }),
      connect(new Scripted(modern).transport, info),
    ]);
    assert.deepEqual(
      clients.map(({ revision }) => revision.lifecycle),
      ["handshake", "handshake", "handshake", "stateless"],
    );
    await Promise.all(clients.map((client) => client.close()));
  });

  test("hears what a slow server answers meanwhile, and sends no initialize (ERA-06)", async () => {
    const agreement = { server: info } as Agreement;
    assert.equal(await fallBack(silent, {}, { settled: Promise.resolve(agreement), hedge: 1, end }), agreement);
    const gone = new Error("gone");
    await assert.rejects(fallBack(silent, {}, { settled: Promise.reject(gone), hedge: 1, end }), gone);
  });
});
