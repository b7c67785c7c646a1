import assert from "node:assert/strict";
import { type TestContext, describe, test } from "node:test";
import type { McpServer } from "@x/mcp/server";
import type { StreamableOptions } from "../src/index.ts";
import { StreamReader } from "./events.ts";
import { codeOf, entries, post, probe, replyOf, textOf } from "./mcp.ts";
import { eventually, pause } from "./serve.ts";
import { INIT, INITED, Visitor } from "./visitor.ts";

for (const [entry, start] of entries) {
  const greeted = async (t: TestContext, server: McpServer, options?: StreamableOptions): Promise<Visitor> =>
    await Visitor.greeted(await start(t, server, options));

  describe(`sessions of MCP over HTTP, ${entry}`, () => {
    test("HTTP-52 HTTP-53 HTTP-54: initialize gives a session id of visible ASCII, never twice the same", async (t) => {
      const send = await start(t, probe().server);
      const ids = new Set<string>();
      for (let i = 0; i < 20; i++) {
        const response = await post(send, INIT());
        const id = response.headers.get("mcp-session-id") ?? "";
        assert.match(id, /^[\x21-\x7e]{32,}$/);
        ids.add(id);
        await response.text();
      }
      assert.equal(ids.size, 20);
    });

    for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
      test(`HTTP-01 HDR-06: a session of ${version}`, async (t) => {
        const visitor = await Visitor.greeted(await start(t, probe().server), version);
        assert.equal(textOf(await visitor.tool("echo", { text: "hi" })), "hi");
        const without = new Visitor(visitor.send, { "Mcp-Session-Id": visitor.headers["Mcp-Session-Id"] });
        assert.equal(textOf(await without.tool("echo", { text: "no version header" }, "x")), "no version header");
      });

    test("D21 M08: a notification is answered with 202, no body and no type", async (t) => {
      const visitor = await greeted(t, probe().server);
      const response = await visitor.post({ jsonrpc: "2.0", method: "notifications/roots/list_changed" });
      assert.deepEqual([response.status, response.headers.get("content-type")], [202, null]);
      assert.equal(await response.text(), "");
    });

    test("C13: an initialize that fails gives no session", async (t) => {
      const send = await start(t, probe().server);
      const reply = await replyOf(await post(send, { jsonrpc: "2.0", id: 1, method: "initialize", params: {} }));
      assert.equal(codeOf(reply), -32602);
      assert.equal(reply.headers.get("mcp-session-id"), null);
    });

    test("D09: an unknown version header on initialize is ignored", async (t) => {
      const send = await start(t, probe().server);
      const response = await post(send, INIT("2025-06-18"), {
        "MCP-Protocol-Version": "2099-01-01",
        "Mcp-Method": "initialize",
      });
      assert.equal(response.status, 200);
    });

    test("D10 HTTP-67: an invalid version header after it gets 400 and what is spoken", async (t) => {
      const visitor = await greeted(t, probe().server);
      for (const version of ["garbage", "2000-01-01", "2099-01-01"])
        for (const session of [visitor.headers["Mcp-Session-Id"], undefined]) {
          const headers = { "MCP-Protocol-Version": version, "Mcp-Session-Id": session };
          const reply = await replyOf(
            await post(visitor.send, { jsonrpc: "2.0", id: 5, method: "tools/list" }, headers),
          );
          assert.deepEqual([reply.status, codeOf(reply)], [400, -32022]);
          assert.match(reply.text, /"supported":\["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"\]/);
        }
    });

    test("HTTP-57: without a session id there is 400", async (t) => {
      const visitor = await greeted(t, probe().server);
      const stranger = new Visitor(visitor.send, {});
      assert.equal((await stranger.ask("tools/list")).status, 400);
      assert.equal((await stranger.get()).status, 400);
      assert.equal((await stranger.end()).status, 400);
    });

    test("HTTP-58 HTTP-59 HTTP-61: DELETE ends the session, after which there is 404", async (t) => {
      const visitor = await greeted(t, probe().server);
      assert.equal((await visitor.end()).status, 204);
      assert.equal((await visitor.ask("tools/list")).status, 404);
      assert.equal((await visitor.get()).status, 404);
      assert.equal((await visitor.end()).status, 404);
    });

    test("D06 HTTP-25: DELETE aborts what runs, and its answers say so", async (t) => {
      const { server, aborted, started } = probe();
      const visitor = await greeted(t, server);
      const waiting = visitor.tool("wait");
      await eventually(() => started.count === 1);
      await visitor.end();
      await eventually(() => aborted.length === 1);
      // Not 404, after which clients send it again: it has run.
      assert.equal((await waiting).status, 503);
    });

    test("a batch of which a member was cancelled is over with its answer", async (t) => {
      const { server, started, release } = probe();
      const send = await start(t, server, { sessions: { max: 1 } });
      const visitor = await Visitor.greeted(send, "2025-03-26");
      const wait = { jsonrpc: "2.0", method: "tools/call", params: { name: "wait" } };
      const answer = visitor.post([1, 2].map((id) => ({ ...wait, id })));
      await eventually(() => started.count === 2);
      await visitor.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
      release();
      await (await answer).text();
      // It makes room, which one with a call that waits would not.
      assert.equal((await post(send, INIT())).status, 200);
    });

    test("D06: a notification cancels a call of another POST, whose answer ends empty", async (t) => {
      const { server, aborted, started } = probe();
      const visitor = await greeted(t, server);
      const waiting = visitor.tool("wait", {}, "slow");
      await eventually(() => started.count === 1);
      await visitor.post({
        jsonrpc: "2.0",
        method: "notifications/cancelled",
        params: { requestId: "slow", reason: "bored" },
      });
      await eventually(() => aborted.length === 1);
      assert.match(String(aborted[0]), /bored/);
      assert.deepEqual((await waiting).messages, []);
    });

    test("CANC-11 HTTP-27: a client that goes cancels nothing", async (t) => {
      const { server, aborted, started, release } = probe();
      const visitor = await greeted(t, server);
      const controller = new AbortController();
      const request = { jsonrpc: "2.0", id: 9, method: "tools/call", params: { name: "wait" } };
      const headers = {
        ...visitor.headers,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      };
      visitor.send("POST", headers, JSON.stringify(request), controller.signal).catch(() => {});
      await eventually(() => started.count === 1);
      controller.abort();
      await pause(30);
      assert.equal(aborted.length, 0);
      release();
      assert.equal(textOf(await visitor.tool("echo", { text: "alive" })), "alive");
    });

    test("HTTP-21 HTTP-22 HTTP-23 HTTP-24 HTTP-26: progress and questions go on the stream of their call", async (t) => {
      const visitor = await Visitor.greeted(await start(t, probe().server), "2025-06-18", {}, { roots: {} });
      const unasked = new StreamReader(await visitor.get());
      const stream = new StreamReader(await visitor.open("tools/call", { name: "ask" }));
      await eventually(() => stream.messages.length === 1, "the question");
      const [question] = stream.messages;
      assert.equal(question?.["method"], "roots/list");
      const answer = { jsonrpc: "2.0", id: question?.["id"], result: { roots: [{ uri: "file:///a" }] } };
      assert.equal((await visitor.post(answer)).status, 202);
      await eventually(() => stream.ended);
      assert.match(stream.text, /file:\/\/\/a/);
      assert.deepEqual(unasked.messages, []);
      await unasked.cancel();
    });

    test("HTTP-34 HTTP-36 HTTP-37 HTTP-38 HTTP-39 HTTP-42 HTTP-43 HTTP-44: what is unasked goes on one GET stream, answers never", async (t) => {
      const { server } = probe();
      const visitor = await greeted(t, server);
      const streams = [new StreamReader(await visitor.get()), new StreamReader(await visitor.get())];
      await pause(20);
      server.tool("late", {}, () => "");
      await visitor.tool("echo");
      await eventually(() => streams.some(({ messages }) => messages.length > 0));
      await pause(20);
      assert.deepEqual(
        streams.flatMap(({ messages }) => messages.map(({ method }) => method)),
        ["notifications/tools/list_changed"],
      );
      for (const stream of streams) await stream.cancel();
    });

    test("I02: what is unasked before there is a stream waits for it", async (t) => {
      const { server } = probe();
      const visitor = await greeted(t, server);
      server.tool("early", {}, () => "");
      await pause(10);
      const stream = new StreamReader(await visitor.get());
      await eventually(() => stream.messages.length === 1);
      await stream.cancel();
    });

    test("D18 HTTP-40: a GET stream that is dropped takes nothing with it", async (t) => {
      const { server } = probe();
      const visitor = await greeted(t, server);
      const controller = new AbortController();
      const stream = new StreamReader(await visitor.get({}, controller.signal));
      await stream.cancel();
      controller.abort();
      await pause(20);
      assert.equal((await visitor.ask("tools/list")).status, 200);
      const again = new StreamReader(await visitor.get());
      server.tool("late", {}, () => "");
      await eventually(() => again.messages.length === 1);
      await again.cancel();
    });

    test("HTTP-35: a GET that takes no event stream gets 406", async (t) => {
      const visitor = await greeted(t, probe().server);
      assert.equal((await visitor.get({ Accept: "application/json" })).status, 406);
      for (const Accept of ["*/*", "text/*", "text/event-stream;q=0.1"]) {
        const response = await visitor.get({ Accept });
        assert.equal(response.status, 200);
        await response.body?.cancel();
      }
    });

    test("D08: any Accept that takes an answer is fine, and none; others get 406", async (t) => {
      const visitor = await greeted(t, probe().server);
      const accepts = [
        undefined,
        "*/*",
        "application/*, text/*;q=0.5",
        "application/json",
        "Application/JSON, Text/Event-Stream",
      ];
      for (const [i, Accept] of accepts.entries())
        assert.equal((await visitor.post(listRequest(i + 100), { Accept })).status, 200, Accept);
      for (const Accept of ["text/html", "application/json;q=0, text/plain", ""])
        assert.equal((await visitor.post(listRequest(200), { Accept })).status, 406, Accept);
    });

    test("SEC-07 SEC-09: a session belongs to its principal: another's gets 404 like one that never was", async (t) => {
      const send = await start(t, probe().server, {
        verify: (request) => ({ principal: request.header("authorization") ?? "nobody" }),
      });
      const alice = await Visitor.greeted(send, "2025-11-25", { Authorization: "alice" });
      const mallory = new Visitor(send, { ...alice.headers, Authorization: "mallory" });
      const [known, unknown] = [
        await mallory.ask("tools/list"),
        await new Visitor(send, { "Mcp-Session-Id": "no" }).ask("tools/list"),
      ];
      assert.deepEqual([known.status, known.text], [404, unknown.text]);
      assert.equal((await mallory.get()).status, 404);
      assert.equal((await mallory.end()).status, 404);
      assert.equal((await alice.ask("tools/list")).status, 200);
    });

    test("a principal may be denied a tool, with the challenge that says what it takes", async (t) => {
      const send = await start(t, probe().server, {
        verify: () => ({
          principal: "alice",
          permit: (message) =>
            JSON.stringify(message).includes('"report"')
              ? { status: 403, headers: { "WWW-Authenticate": "Bearer" } }
              : undefined,
        }),
      });
      const alice = await Visitor.greeted(send);
      assert.equal((await alice.tool("echo")).status, 200);
      const { status, headers, messages } = await alice.tool("report", {}, "mine");
      assert.deepEqual([status, messages[0]?.id, headers.get("www-authenticate")], [403, "mine", "Bearer"]);
    });

    test("an id that is in flight gets 400, and the first call its answer", async (t) => {
      const { server, started, release } = probe();
      const visitor = await greeted(t, server);
      const first = visitor.tool("wait", { text: "mine" }, "same");
      await eventually(() => started.count === 1);
      const second = await visitor.tool("echo", { text: "stolen" }, "same");
      assert.deepEqual([second.status, codeOf(second), second.messages[0]?.id], [400, -32600, "same"]);
      release();
      assert.equal(textOf(await first), "mine");
    });

    test("D19: requests that overtake the end of the handshake wait for it", async (t) => {
      const send = await start(t, probe().server);
      for (let i = 0; i < 30; i++) {
        const response = await post(send, INIT("2025-11-25"));
        const visitor = new Visitor(send, { "Mcp-Session-Id": response.headers.get("mcp-session-id") ?? "" });
        await response.text();
        const [list, echo] = await Promise.all([
          visitor.ask("tools/list"),
          visitor.tool("echo", { text: "hi" }),
          visitor.post(INITED),
        ]);
        assert.deepEqual([list.status, codeOf(list), textOf(echo)], [200, undefined, "hi"]);
      }
    });

    test("HTTP-14 HTTP-16: notifications and answers get 202, what is neither 400", async (t) => {
      const visitor = await greeted(t, probe().server);
      for (const message of [
        { jsonrpc: "2.0", method: "notifications/foo" },
        { jsonrpc: "2.0", id: 77, result: {} },
      ]) {
        const response = await visitor.post(message);
        assert.deepEqual([response.status, await response.text()], [202, ""]);
      }
      for (const message of ["{", "[]", "1", { jsonrpc: "2.0", id: 1 }, { jsonrpc: "2.0", id: null, method: "ping" }])
        assert.equal((await visitor.post(message)).status, 400, JSON.stringify(message));
    });

    test("HTTP-10 BASE-48 BASE-51 BASE-52 BASE-53: 2025-03-26 has batches", async (t) => {
      const visitor = await Visitor.greeted(await start(t, probe().server), "2025-03-26");
      const response = await visitor.post([
        echoRequest(10, "a"),
        { jsonrpc: "2.0", method: "notifications/foo" },
        echoRequest(11, "b"),
      ]);
      assert.equal(response.status, 200);
      const answers = (await response.json()) as { id: number }[];
      assert.deepEqual(
        answers.map(({ id }) => id).sort((a, b) => a - b),
        [10, 11],
      );
      const note = { jsonrpc: "2.0", method: "notifications/foo" };
      const notes = await visitor.post([note, note]);
      assert.deepEqual([notes.status, await notes.text()], [202, ""]);
      assert.equal((await visitor.post([echoRequest(12, "a"), echoRequest(12, "b")])).status, 400);
      assert.equal((await visitor.post([echoRequest(13, "a"), { jsonrpc: "2.0", id: 1, result: {} }])).status, 400);
      assert.equal((await visitor.post([INIT()])).status, 400);
      assert.equal((await visitor.post([])).status, 400);
    });

    test("BASE-55 HTTP-11: other revisions refuse them", async (t) => {
      const send = await start(t, probe().server);
      for (const version of ["2025-06-18", "2025-11-25"]) {
        const visitor = await Visitor.greeted(send, version);
        assert.equal((await visitor.post([{ jsonrpc: "2.0", id: 5, method: "ping" }])).status, 400);
      }
    });

    test("both lifecycles at one URL, at the same time", async (t) => {
      const visitor = await greeted(t, probe().server);
      const { tool } = await import("./mcp.ts");
      const [old, current] = await Promise.all([
        visitor.tool("echo", { text: "old" }),
        tool(visitor.send, "echo", { text: "new" }),
      ]);
      assert.deepEqual([textOf(old), textOf(current)], ["old", "new"]);
    });

    test("D07: sessions that are idle end, those with a stream or a call don't", async (t) => {
      const { server, started, release } = probe();
      const send = await start(t, server, { sessions: { idle: 600 } });
      const idle = await Promise.all(Array.from({ length: 20 }, () => Visitor.greeted(send)));
      const listening = await Visitor.greeted(send);
      const stream = new StreamReader(await listening.get());
      const calling = await Visitor.greeted(send);
      const waiting = calling.tool("wait");
      await eventually(() => started.count === 1);
      await pause(1600);
      for (const visitor of idle) assert.equal((await visitor.ask("ping")).status, 404);
      assert.equal((await listening.ask("ping")).status, 200);
      assert.equal((await calling.ask("ping")).status, 200);
      release();
      assert.equal(textOf(await waiting), "released");
      await stream.cancel();
    });

    test("a flood of sessions ends the one that has been idle longest", async (t) => {
      const { server, started, release } = probe();
      const send = await start(t, server, { sessions: { max: 3 } });
      const first = await Visitor.greeted(send);
      const waiting = first.tool("wait");
      await eventually(() => started.count === 1);
      const second = await Visitor.greeted(send);
      for (let i = 0; i < 5; i++) await Visitor.greeted(send);
      assert.equal((await second.ask("ping")).status, 404);
      assert.equal((await first.ask("ping")).status, 200);
      release();
      await waiting;
    });

    test("where no session can be spared, one more gets 503", async (t) => {
      const { server, started, release } = probe();
      const send = await start(t, server, { sessions: { max: 1 } });
      const waiting = (await Visitor.greeted(send)).tool("wait");
      await eventually(() => started.count === 1);
      const refused = await replyOf(await post(send, INIT()));
      assert.deepEqual([refused.status, codeOf(refused), refused.messages[0]?.id], [503, -32603, 1]);
      release();
      await waiting;
    });

    test("closing the endpoint lets calls end, then ends sessions and their streams", async (t) => {
      const { server, started, release } = probe();
      const visitor = await greeted(t, server);
      const stream = new StreamReader(await visitor.get());
      const waiting = visitor.tool("wait");
      await eventually(() => started.count === 1);
      const closing = visitor.send.close();
      await pause(20);
      assert.equal((await visitor.ask("ping")).status, 503);
      release();
      assert.equal(textOf(await waiting), "released");
      await closing;
      await eventually(() => stream.ended);
    });

    test("too many streams get 503, and leave room when they end", async (t) => {
      const { server } = probe();
      const visitor = await Visitor.greeted(await start(t, server, { maxStreams: 2 }));
      const streams = [new StreamReader(await visitor.get()), new StreamReader(await visitor.get())];
      assert.equal((await visitor.get()).status, 503);
      assert.equal((await visitor.ask("tools/call", { name: "report", _meta: { progressToken: 1 } })).status, 503);
      await streams[0]!.cancel();
      await pause(50);
      const third = await visitor.get();
      assert.equal(third.status, 200);
      await third.body?.cancel();
      await streams[1]!.cancel();
    });
  });
}

describe("without sessions", () => {
  const stateless: StreamableOptions = { sessions: false };

  for (const [entry, start] of entries) {
    test(`D20: handshake clients are served one request at a time, ${entry}`, async (t) => {
      const sends = [await start(t, probe().server, stateless), await start(t, probe().server, stateless)] as const;
      for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
        const init = await post(sends[0], INIT(version));
        assert.equal(init.headers.get("mcp-session-id"), null);
        assert.match(await init.text(), new RegExp(`"protocolVersion":"${version}"`));
        const visitor = new Visitor(sends[1], { "MCP-Protocol-Version": version });
        assert.equal((await visitor.post(INITED)).status, 202);
        assert.equal(textOf(await visitor.tool("echo", { text: version })), version);
        const report = await visitor.ask("tools/call", { name: "report", _meta: { progressToken: 1 } });
        assert.equal(report.messages.length, 4);
        assert.equal((await visitor.get()).status, 405);
        assert.equal((await visitor.end()).status, 405);
      }
    });

    test(`a call goes on as a task, which whoever knows its id can ask after, ${entry}`, async (t) => {
      const { server } = probe();
      server.tool("long", { task: "required" }, async () => "done");
      const visitor = new Visitor(await start(t, server, stateless), { "MCP-Protocol-Version": "2025-11-25" });
      const { messages } = await visitor.ask("tools/call", { name: "long", task: {} });
      const task = messages[0]?.result?.["task"] as { taskId: string } | undefined;
      const result = await visitor.ask("tasks/result", { taskId: task?.taskId });
      assert.equal(textOf(result), "done");
      assert.deepEqual((await visitor.ask("tasks/list")).messages[0]?.result, { tasks: [] });
    });

    test(`HTTP-66: without a version header the oldest rules of Streamable HTTP hold, ${entry}`, async (t) => {
      const visitor = new Visitor(await start(t, probe().server, stateless), {});
      const response = await visitor.post([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
      assert.deepEqual(await response.json(), [{ jsonrpc: "2.0", id: 1, result: {} }]);
    });

    test(`a handler that asks hears at once that it can't, ${entry}`, async (t) => {
      const visitor = new Visitor(await start(t, probe().server, stateless), { "MCP-Protocol-Version": "2025-06-18" });
      const reply = await visitor.tool("ask");
      assert.equal(reply.status, 200);
      assert.match(reply.text, /roots/);
    });
  }
});

const listRequest = (id: number): object => ({ jsonrpc: "2.0", id, method: "tools/list" });

const echoRequest = (id: number, text: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "echo", arguments: { text } },
});
