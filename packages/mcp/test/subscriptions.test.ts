import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import { Wire, echoServer, resultOf, stateless } from "./wire.ts";

const ID = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const CHANGED = "notifications/tools/list_changed";

const dark = (): never => {
  throw new RpcError(1001, "The lights are out");
};

const listen = (wire: Wire, notifications: unknown, id: string | number = "l") =>
  wire.ask("subscriptions/listen", stateless({ notifications }), id);
const settled = (wire: Wire): Promise<unknown> => wire.ask("server/discover", stateless());

describe("subscriptions/listen", () => {
  test("is acknowledged first, with what will be honoured (SUBS-01, SUBS-03, SUBS-04, SUBS-05)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    void listen(wire, { toolsListChanged: true, promptsListChanged: true, somethingElse: true });
    server.tool("at-the-same-time", {}, () => "");
    await wire.hears(ACKNOWLEDGED);
    assert.deepEqual(wire.received[0], {
      jsonrpc: "2.0",
      method: ACKNOWLEDGED,
      params: { notifications: { toolsListChanged: true }, _meta: { [ID]: "l" } },
    });
  });

  test("tells of changes, with the id of the request, its type kept (SUBS-08, SUBS-10, TOOL-09)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    void listen(wire, { toolsListChanged: true }, 5);
    void listen(wire, { toolsListChanged: true }, "5");
    await wire.hears(ACKNOWLEDGED, 1);
    server.tool("new", {}, () => "");
    await settled(wire);
    assert.deepEqual(wire.heard(CHANGED), [{ _meta: { [ID]: 5 } }, { _meta: { [ID]: "5" } }]);
  });

  test("I01: what changes before it is acknowledged is told after it", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    void listen(wire, { toolsListChanged: true });
    await Promise.resolve();
    server.tool("early", {}, () => "");
    await wire.hears(ACKNOWLEDGED);
    await settled(wire);
    const methods = wire.received.flatMap((message) => ("method" in message ? [message.method] : []));
    assert.deepEqual(methods, [ACKNOWLEDGED, CHANGED]);
  });

  test("tells nothing that was not asked for, nor those who did not ask (SUBS-02, SUBS-19, TOOL-09)", async () => {
    const server = echoServer();
    const [other, silent] = [Wire.to(server), Wire.to(server)];
    void listen(other, { promptsListChanged: true, toolsListChanged: false });
    await Promise.all([other.hears(ACKNOWLEDGED), settled(silent)]);
    server.tool("new", {}, () => "");
    await Promise.all([settled(other), settled(silent)]);
    assert.deepEqual(other.heard(CHANGED), []);
    assert.deepEqual(silent.heard(CHANGED), []);
    assert.deepEqual(other.heard(ACKNOWLEDGED), [{ notifications: {}, _meta: { [ID]: "l" } }]);
  });

  test("ends when the client cancels it, without an answer or anything after it (SUBS-11, SUBS-20)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    void listen(wire, { toolsListChanged: true });
    await wire.hears(ACKNOWLEDGED);
    wire.notify("notifications/cancelled", { requestId: "l" });
    await settled(wire);
    wire.received.length = 0;
    server.tool("new", {}, () => "");
    const last = await settled(wire);
    assert.deepEqual(wire.received, [last]);
  });

  test("ends with a result that names it when the server closes (SUBS-12, SUBS-13)", async () => {
    const server = echoServer();
    const wire = Wire.to(server);
    const ended = listen(wire, { toolsListChanged: true });
    await settled(wire);
    await server.close();
    const result = resultOf(await ended);
    assert.equal(result["resultType"], "complete");
    assert.equal((result["_meta"] as Record<string, unknown>)[ID], "l");
  });

  for (const notifications of [undefined, null, "tools", 5, []])
    test(`with notifications ${JSON.stringify(notifications)} is -32602 (SUBS-19)`, async () => {
      const { error } = await listen(Wire.to(echoServer()), notifications);
      assert.equal(error?.code, -32602);
      assert.match(error.message, /notifications/);
    });

  test("that can't watch a resource is refused, and not acknowledged before (SUBS-03)", async () => {
    const server = echoServer();
    server.resource("room:{id}", { watch: dark }, () => "");
    const wire = Wire.to(server);
    const { error } = await listen(wire, { toolsListChanged: true, resourceSubscriptions: ["room:1"] });
    assert.equal(error?.code, 1001);
    server.tool("new", {}, () => "");
    await settled(wire);
    assert.deepEqual([wire.heard(ACKNOWLEDGED), wire.heard(CHANGED)], [[], []]);
  });

  test("I01: a hundred registrations in a row are one announcement in each lifecycle, and the last state is seen", async () => {
    const server = echoServer();
    const [listening, greeted] = [Wire.to(server), await Wire.greeted(server)];
    void listen(listening, { toolsListChanged: true });
    await listening.hears(ACKNOWLEDGED);
    for (let i = 0; i < 100; i++) server.tool(`tool-${i}`, {}, () => "");
    const [one, two] = await Promise.all([listening.ask("tools/list", stateless()), greeted.ask("tools/list")]);
    for (const answer of [one, two]) assert.equal((resultOf(answer)["tools"] as []).length, 101);
    assert.equal(listening.heard(CHANGED).length, 1);
    assert.equal(greeted.heard(CHANGED).length, 1);
  });

  test("I02: a change in the moment of closing harms nobody", async () => {
    const server = echoServer();
    const [listening, greeted] = [Wire.to(server), await Wire.greeted(server)];
    void listen(listening, { toolsListChanged: true });
    await listening.hears(ACKNOWLEDGED);
    server.tool("new", {}, () => "");
    await server.close();
    server.tool("newer", {}, () => "");
    await Promise.resolve();
    assert.equal(greeted.heard(CHANGED).length <= 1, true);
  });
});
