import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LogLevel, LogMessage } from "@x/mcp";
import { CapabilityError } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted, settle } from "./joined.ts";
import { Wire, resultOf, stateless } from "./wire.ts";

const levels: readonly LogLevel[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const LEVEL = "io.modelcontextprotocol/logLevel";
const MESSAGE = "notifications/message";

/** A server whose tool, prompt and resource say something at every level. */
function talkative(): McpServer {
  const server = new McpServer({ name: "talkative", version: "1.0.0" });
  server.tool("talk", {}, (_args, { log }) => {
    for (const level of levels) log[level](`at ${level}`, "talk");
    return "done";
  });
  server.prompt("talk", {}, (_args, ctx) => {
    ctx.log.error("from a prompt");
    return "done";
  });
  server.resource("talk:1", {}, (_variables, ctx) => {
    ctx.log.error("from a resource");
    return "done";
  });
  server.tool("late", {}, (_args, ctx) => {
    setTimeout(() => ctx.log.emergency("too late"), 1);
    return "done";
  });
  server.tool("things", {}, (_args, { log }) => {
    log.error(new RangeError("no room"));
    log.error({ code: 5, nested: [null, true] });
    log.error(null);
    return "done";
  });
  return server;
}

for (const version of both)
  describe(`logging, ${version}`, () => {
    for (const [index, level] of levels.entries())
      test(`at ${level} brings that and what is worse (LOG-02, LOG-03, LOG-04, LOG-05, LOG-08)`, async () => {
        const heard: LogMessage[] = [];
        const client = await joined(talkative(), version, { onLog: (message) => heard.push(message) });
        await client.setLogLevel(level);
        await client.callTool("talk");
        const expected = levels.slice(index).map((each) => ({ level: each, logger: "talk", data: `at ${each}` }));
        assert.deepEqual(heard, expected);
      });

    test("works in prompts and resources too", async () => {
      const heard: unknown[] = [];
      const client = await joined(talkative(), version, { onLog: ({ data }) => heard.push(data) });
      await client.setLogLevel("debug");
      await client.getPrompt("talk");
      await client.readResource("talk:1");
      assert.deepEqual(heard, ["from a prompt", "from a resource"]);
    });

    test("takes any JSON, and of an error its message alone (LOG-03, LOG-14)", async () => {
      const heard: LogMessage[] = [];
      const client = await joined(talkative(), version, { onLog: (message) => heard.push(message) });
      await client.setLogLevel("debug");
      await client.callTool("things");
      assert.deepEqual(
        heard.map(({ data }) => data),
        ["RangeError: no room", { code: 5, nested: [null, true] }, null],
      );
      assert.ok(heard.every((message) => !("logger" in message)));
    });

    test("sends nothing after the answer (LOG-08)", async () => {
      const heard: unknown[] = [];
      const client = await joined(talkative(), version, { onLog: (message) => heard.push(message) });
      await client.setLogLevel("debug");
      await client.callTool("late");
      await settle();
      assert.deepEqual(heard, []);
    });

    test("a listener that throws harms nobody", async () => {
      const faults: unknown[] = [];
      const fault = new Error("full disk");
      const options = { onLog: () => Promise.reject(fault), onError: (error: unknown) => void faults.push(error) };
      const client = await joined(talkative(), version, options);
      await client.setLogLevel("emergency");
      await client.callTool("talk");
      await settle();
      assert.deepEqual(faults, [fault]);
    });
  });

const levelsHeard = (wire: Wire): unknown[] => wire.heard(MESSAGE).map((params) => (params as LogMessage).level);

describe("logging with a handshake", () => {
  test("is declared (LOG-01)", async () => {
    const wire = Wire.to(talkative());
    const { capabilities } = resultOf(
      await wire.ask("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      }),
    ) as { capabilities: { logging?: object } };
    assert.deepEqual(capabilities.logging, {});
    const discovered = resultOf(await Wire.to(talkative()).ask("server/discover", stateless()));
    assert.deepEqual((discovered["capabilities"] as { logging?: object }).logging, {});
  });

  test("has a level for each connection, info until it is set (LOG-04, LOG-05)", async () => {
    const server = talkative();
    const [one, two] = [await Wire.greeted(server), await Wire.greeted(server)];
    assert.deepEqual(resultOf(await one.ask("logging/setLevel", { level: "alert" })), {});
    await Promise.all([one.ask("tools/call", { name: "talk" }), two.ask("tools/call", { name: "talk" })]);
    assert.deepEqual(levelsHeard(one), ["alert", "emergency"]);
    assert.deepEqual(levelsHeard(two), levels.slice(1));
  });

  for (const level of ["loud", "INFO", "", 5, null, undefined])
    test(`the level ${JSON.stringify(level)} is -32602 (LOG-06)`, async () => {
      const wire = await Wire.greeted(talkative());
      const { error } = await wire.ask("logging/setLevel", { level });
      assert.equal(error?.code, -32602);
      assert.match(error.message, /debug, info, notice/);
    });

  test("is asked only of servers that declare it (LOG-01)", async () => {
    const { client, asked } = await scripted("2025-11-25", {}, { "logging/setLevel": () => ({}) });
    await assert.rejects(client.setLogLevel("info"), CapabilityError);
    assert.deepEqual(asked, []);
  });
});

describe("logging without a handshake", () => {
  test("sends nothing to a request that doesn't ask (LOG-07)", async () => {
    const wire = Wire.to(talkative());
    await wire.ask("tools/call", stateless({ name: "talk" }, { [LEVEL]: "debug" }));
    wire.received.length = 0;
    await wire.ask("tools/call", stateless({ name: "talk" }));
    assert.deepEqual(wire.heard(MESSAGE), []);
  });

  test("comes before the answer to the request that asked, and not on a subscription (LOG-08, LOG-09, SUBS-17, DEPR-05)", async () => {
    const wire = Wire.to(talkative());
    void wire.ask(
      "subscriptions/listen",
      stateless({ notifications: { toolsListChanged: true } }, { [LEVEL]: "debug" }),
      "l",
    );
    await settle();
    wire.received.length = 0;
    await wire.ask("tools/call", stateless({ name: "talk" }, { [LEVEL]: "alert" }), "call");
    assert.deepEqual(
      wire.received.map((message) => ("method" in message ? message.params : "id" in message && message.id)),
      [
        { level: "alert", logger: "talk", data: "at alert" },
        { level: "emergency", logger: "talk", data: "at emergency" },
        "call",
      ],
    );
  });

  for (const level of ["loud", "", 5, null])
    test(`the level ${JSON.stringify(level)} refuses the request (LOG-10)`, async () => {
      const wire = Wire.to(talkative());
      const { error } = await wire.ask("tools/call", stateless({ name: "talk" }, { [LEVEL]: level }));
      assert.equal(error?.code, -32602);
      assert.match(error.message, /log level/);
    });

  test("logging/setLevel is gone (STATE-15)", async () => {
    const wire = Wire.to(talkative());
    assert.equal((await wire.ask("logging/setLevel", stateless({ level: "info" }))).error?.code, -32601);
  });

  test("the client's level goes with each request, and a request may have its own (STATE-14)", async () => {
    const answers = { "tools/call": () => ({ content: [] }) };
    const { client, asked } = await scripted("2026-07-28", { tools: {} }, answers);
    await client.callTool("x");
    await client.setLogLevel("notice");
    await client.callTool("x");
    await client.callTool("x", {}, { meta: { [LEVEL]: "debug" } });
    const sent = asked.map(({ params }) => (params["_meta"] as Record<string, unknown>)[LEVEL]);
    assert.deepEqual(sent, [undefined, "notice", "debug"]);
  });
});
