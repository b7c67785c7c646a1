import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { streamTransport } from "@x/transport-stdio";
import { Wire, echoServer, stateless, textOf } from "./wire.ts";

describe("JSON-RPC as MCP has it", () => {
  test("ids come back as they were: numbers, strings, 0 and the empty string (BASE-02, BASE-06, BASE-31, BASE-61)", async () => {
    const wire = await Wire.greeted(echoServer());
    for (const id of [0, 1, -1, 2 ** 53 - 1, "", "7", "a"]) {
      assert.deepEqual(await wire.ask("ping", undefined, id), { jsonrpc: "2.0", id, result: {} });
      assert.equal((await wire.ask("no/such", undefined, id)).id, id);
    }
  });

  test("B10: what is no request is -32600 (BASE-01, BASE-02, BASE-03, BASE-07, BASE-33)", async () => {
    const wire = await Wire.greeted(echoServer());
    for (const message of [
      { id: 100, method: "ping" },
      { jsonrpc: "1.0", id: 101, method: "ping" },
      { jsonrpc: "2.0", id: 102 },
      { jsonrpc: "2.0", id: 103, method: 5 },
      { jsonrpc: "2.0", id: 104, method: "ping", params: [] },
      { jsonrpc: "2.0", id: 105, method: "ping", params: "text" },
      { jsonrpc: "2.0", id: 106.5, method: "ping" },
    ]) {
      const { error } = await wire.put(message);
      assert.equal(error?.code, -32600, JSON.stringify(message));
    }
    wire.received.length = 0;
    wire.send({ jsonrpc: "2.0", id: null, method: "ping" });
    wire.send({ jsonrpc: "2.0", id: true, method: "ping" });
    await wire.ask("ping");
    const codes = wire.received.flatMap((message) => ("error" in message ? [message.error.code] : []));
    assert.deepEqual(codes, [-32600, -32600]);
  });

  test("an unknown method is -32601 and named (BASE-33)", async () => {
    const { error } = await (await Wire.greeted(echoServer())).ask("tools/liszt");
    assert.equal(error?.code, -32601);
    assert.match(error.message, /"tools\/liszt"/);
    assert.equal((await Wire.to(echoServer()).ask("tools/liszt", stateless())).error?.code, -32601);
  });

  test("nothing is sent back for a notification, whatever it is (BASE-09)", async () => {
    const wire = await Wire.greeted(echoServer());
    for (const method of [
      "notifications/nothing",
      "tools/list",
      "notifications/cancelled",
      "notifications/initialized",
    ]) {
      wire.notify(method);
      wire.notify(method, { requestId: {}, progressToken: null });
    }
    const answer = await wire.ask("ping");
    assert.deepEqual(wire.received, [answer]);
  });

  test("text of every kind arrives as it was (BASE-10, STDIO-03)", async () => {
    const wire = Wire.to(echoServer());
    for (const text of ["", "é漢😀", "a\nb\r\n\u2028c", "\u0000\u001f", '"\\', "__proto__"])
      assert.equal(textOf(await wire.ask("tools/call", stateless({ name: "echo", arguments: { text } }))), text);
  });

  test("unknown members of a message and of params are ignored", async () => {
    const wire = Wire.to(echoServer());
    const params = stateless({ name: "echo", arguments: { text: "hi" }, colour: "red" });
    const answer = await wire.put({ jsonrpc: "2.0", id: 1, method: "tools/call", params, trace: [1] });
    assert.equal(textOf(answer), "hi");
  });

  test("a line that is no JSON, or no message, is answered, and the next one is served (BASE-32, BASE-33)", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    echoServer().connect(streamTransport(input, output), { onError: () => {} });
    const ping = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
    input.end(["Listening on port 3000", "{}", "[1,2", '{"jsonrpc":"2.0","id":5}', "", ping, ""].join("\n"));
    const lines = (await output.setEncoding("utf8").toArray()).join("").trim().split("\n");
    const answers = lines.map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    assert.deepEqual(
      answers.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [null, -32600],
        [null, -32700],
        [5, -32600],
        [9, undefined],
      ],
    );
  });
});
