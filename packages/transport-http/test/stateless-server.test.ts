import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { revisions } from "@x/mcp";
import { StreamReader } from "./events.ts";
import { META, call, codeOf, entries, openCall, post, probe, replyOf, textOf, tool } from "./mcp.ts";
import { bytesInUse } from "../../../fixtures/memory-use.ts";
import { eventually, pause } from "./serve.ts";

for (const [entry, start] of entries)
  describe(`stateless MCP over HTTP, ${entry}`, () => {
    test("HTTP-02 HTTP-18: a call is answered with JSON where nothing precedes the result", async (t) => {
      const send = await start(t, probe().server);
      const reply = await tool(send, "echo", { text: "hi" });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get("content-type"), "application/json");
      assert.equal(textOf(reply), "hi");
      assert.equal(reply.headers.get("mcp-session-id"), null);
    });

    test("HTTP-68 HTTP-69 HTTP-71 HTTP-72 HTTP-75: what precedes the result makes it a stream that ends with it", async (t) => {
      const { server } = probe();
      const send = await start(t, server);
      server.tool("late", {}, () => "");
      const reply = await tool(send, "report", {}, { meta: { progressToken: 0 } });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get("content-type"), "text/event-stream");
      assert.equal(reply.headers.get("x-accel-buffering"), "no");
      assert.deepEqual(
        reply.messages.map(({ params, id }) => params?.["progress"] ?? `answer ${id}`),
        [1, 2, 3, "answer 1"],
      );
      assert.doesNotMatch(reply.text, /^id:/m);
    });

    test("much that precedes the result, at once or bit by bit, warns of no leak", async (t) => {
      const { server } = probe();
      server.tool("count", {}, (_args, context) => {
        for (let i = 1; i <= 2000; i++) context.progress(i);
        return "counted";
      });
      server.tool("fill", {}, async (_args, context) => {
        for (let i = 1; i <= 50; i++) {
          context.progress(i, undefined, "x".repeat(200_000));
          await pause(5);
        }
        return "filled";
      });
      const warnings: Error[] = [];
      const warned = (warning: Error): void => void warnings.push(warning);
      process.on("warning", warned);
      t.after(() => process.off("warning", warned));
      const send = await start(t, server);
      const meta = { progressToken: 0 };
      assert.equal((await tool(send, "count", {}, { meta })).messages.length, 2001);
      assert.equal((await tool(send, "fill", {}, { meta })).messages.length, 51);
      await pause(0);
      assert.deepEqual(warnings, []);
    });

    const refusals: [string, Parameters<typeof call>[1], Parameters<typeof call>[2], number, number][] = [
      ["STATE-05: no protocol version", "tools/list", { meta: { [`${META}protocolVersion`]: undefined } }, 400, -32602],
      ["STATE-05: protocol version no string", "tools/list", { meta: { [`${META}protocolVersion`]: 7 } }, 400, -32602],
      ["STATE-05: no capabilities", "tools/list", { meta: { [`${META}clientCapabilities`]: undefined } }, 400, -32602],
      ["STATE-05: capabilities no object", "tools/list", { meta: { [`${META}clientCapabilities`]: "x" } }, 400, -32602],
      ["HDR-03: another version in the header", "tools/list", { headers: V("2025-11-25") }, 400, -32020],
      ["HDR-03 HDR-14: a header that is no version", "tools/list", { headers: V("v999.0.0") }, 400, -32020],
      ["HDR-16: no version header", "tools/list", { headers: V(undefined) }, 400, -32020],
      ["HDR-05: an unknown method", "foo/bar", {}, 404, -32601],
      ["HDR-05: ERA-17: initialize with a claim", "initialize", {}, 404, -32601],
      ["HDR-05: ping", "ping", {}, 404, -32601],
      ["HDR-05: BASE-34: a feature that isn't there", "prompts/get", { params: { name: "x" } }, 404, -32601],
      ["HDR-22: an unknown method without its headers", "tasks/result", { headers: M(undefined) }, 404, -32601],
      ["HDR-15: no Mcp-Method", "tools/list", { headers: M(undefined) }, 400, -32020],
      ["HDR-15: another Mcp-Method", "tools/list", { headers: M("tools/call") }, 400, -32020],
      ["HDR-13: Mcp-Method in another case", "tools/list", { headers: M("TOOLS/LIST") }, 400, -32020],
      ["HDR-15: no Mcp-Name", "tools/call", { params: { name: "echo" }, headers: N(undefined) }, 400, -32020],
      ["HDR-15: another Mcp-Name", "tools/call", { params: { name: "echo" }, headers: N("report") }, 400, -32020],
      ["HDR-16: bad Base64", "tools/call", { params: { name: "echo" }, headers: N("=?base64?ZWNob?=") }, 400, -32020],
      ["unknown tool", "tools/call", { params: { name: "nothing" } }, 200, -32602],
    ];
    for (const [what, method, how, status, code] of refusals)
      test(`${what}: ${status}, ${code}`, async (t) => {
        const send = await start(t, probe().server);
        const reply = await call(send, method, { ...how, id: "the id" });
        assert.deepEqual([reply.status, codeOf(reply)], [status, code]);
        assert.equal(reply.messages[0]?.id, "the id");
      });

    test("HDR-04: a version that nobody speaks: 400, -32022 and what is spoken", async (t) => {
      const send = await start(t, probe().server);
      const how = { meta: { [`${META}protocolVersion`]: "v999.0.0" }, headers: V("v999.0.0") };
      const reply = await call(send, "tools/list", how);
      assert.deepEqual([reply.status, codeOf(reply)], [400, -32022]);
      assert.deepEqual(reply.messages[0]?.error?.data, { supported: ["2026-07-28"], requested: "v999.0.0" });
    });

    test("BASE-35: a client that can't be asked gets 400, -32021 and what is missing", async (t) => {
      const send = await start(t, probe().server);
      const reply = await tool(send, "ask");
      assert.deepEqual([reply.status, codeOf(reply)], [400, -32021]);
      assert.deepEqual(reply.messages[0]?.error?.data, { requiredCapabilities: { roots: {} } });
    });

    test("HTTP-70: a client that can be asked is asked in the result", async (t) => {
      const send = await start(t, probe().server);
      const reply = await tool(send, "ask", {}, { meta: { [`${META}clientCapabilities`]: { roots: {} } } });
      assert.equal(reply.messages.length, 1);
      assert.equal(reply.messages[0]?.result?.["resultType"], "input_required");
    });

    test("HDR-11 HDR-12 HDR-17 ENC-06: names in Base64, with blanks, in any case", async (t) => {
      const send = await start(t, probe().server);
      for (const headers of [N("=?base64?ZWNobw==?="), N("  echo \t"), { "Mcp-Name": undefined, "MCP-NAME": "echo" }])
        assert.equal(textOf(await tool(send, "echo", { text: "hi" }, { headers })), "hi");
    });

    const mirrored: [string, unknown, string | undefined, 200 | 400][] = [
      ["a value as it is", "Hello", "Hello", 200],
      ["Base64", "Hello", "=?base64?SGVsbG8=?=", 200],
      ["Base64 without its padding", "Hello", "=?base64?SGVsbG8?=", 400],
      ["what is no Base64", "Hello", "=?base64?SGVs!!!bG8=?=", 400],
      ["marks of which one is missing", "=?base64?SGVsbG8=", "=?base64?SGVsbG8=", 200],
      ["another value", "Hello", "hello", 400],
      ["no header", "test-value", undefined, 400],
      ["neither", undefined, undefined, 200],
      ["null and no header", null, undefined, 200],
      ["an empty value", "", "", 200],
    ];
    for (const [what, region, header, status] of mirrored)
      test(`XMH-19 XMH-21 ENC-07: Mcp-Param with ${what}: ${status}`, async (t) => {
        const send = await start(t, probe().server);
        const reply = await tool(send, "region", { region }, { headers: { "Mcp-Param-Region": header } });
        assert.equal(reply.status, region === null ? 200 : status);
        assert.equal(codeOf(reply), status === 400 ? -32020 : undefined);
      });

    test("HTTP-15 HTTP-20 Q47: notifications get 202 and no body, with and without headers", async (t) => {
      const send = await start(t, probe().server);
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
      for (const headers of [
        { "MCP-Protocol-Version": "2026-07-28" },
        { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "notifications/cancelled" },
      ]) {
        const response = await post(send, cancelled, headers);
        assert.deepEqual([response.status, await response.text()], [202, ""]);
        assert.equal(response.headers.get("content-type"), null);
      }
    });

    test("HTTP-12 HTTP-16 HTTP-17: responses and batches get 400", async (t) => {
      const send = await start(t, probe().server);
      const claim = { "MCP-Protocol-Version": "2026-07-28" };
      const request = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/list",
        params: { _meta: { [`${META}protocolVersion`]: "2026-07-28" } },
      };
      for (const body of [{ jsonrpc: "2.0", id: 1, result: {} }, [request], [], "{", "null", { jsonrpc: "2.0", id: 1 }])
        assert.equal((await post(send, body, claim)).status, 400, JSON.stringify(body));
    });

    test("BASE-02 BASE-03: an id that is null or no integer gets 400", async (t) => {
      const send = await start(t, probe().server);
      for (const id of [null, 1.5]) {
        const reply = await call(send, "tools/list", { id: id as unknown as number });
        assert.deepEqual([reply.status, codeOf(reply)], [400, -32600]);
      }
      for (const id of [0, "", "1", -1]) assert.equal((await call(send, "tools/list", { id })).messages[0]?.id, id);
    });

    test("Q60 HTTP-78 HTTP-79: what belongs to sessions is ignored", async (t) => {
      const send = await start(t, probe().server);
      const headers = { "Mcp-Session-Id": "nonsense", "Last-Event-ID": "1" };
      const reply = await tool(send, "echo", { text: "hi" }, { headers });
      assert.equal(textOf(reply), "hi");
      assert.equal(reply.headers.get("mcp-session-id"), null);
    });

    test("D08 Q34: any Accept is fine, and none", async (t) => {
      const send = await start(t, probe().server);
      for (const Accept of [
        undefined,
        "*/*",
        "application/*",
        "application/json",
        "text/html",
        "Application/JSON;q=0.5",
      ])
        assert.equal(textOf(await tool(send, "echo", { text: "hi" }, { headers: { Accept } })), "hi", Accept);
      const stream = await tool(send, "echo", { text: "hi" }, { headers: { Accept: "text/*" } });
      assert.equal(stream.headers.get("content-type"), "text/event-stream");
      const json = await tool(
        send,
        "report",
        {},
        { headers: { Accept: "application/json" }, meta: { progressToken: 1 } },
      );
      assert.equal(textOf(json), "reported");
      assert.equal(json.headers.get("content-type"), "application/json");
    });

    test("D01: two calls at once with the same id each get their own answer", async (t) => {
      const { server, release, started } = probe();
      const send = await start(t, server);
      const slow = tool(send, "wait", { text: "A" });
      await eventually(() => started.count === 1);
      assert.equal(textOf(await tool(send, "echo", { text: "B" })), "B");
      release();
      assert.equal(textOf(await slow), "A");
    });

    test("CANC-15 CANC-20: closing the stream cancels the call", async (t) => {
      const { server, aborted, started } = probe();
      const send = await start(t, server, { keepAlive: 20 });
      const controller = new AbortController();
      const response = openCall(send, "tools/call", { params: { name: "wait" }, signal: controller.signal });
      response.catch(() => {});
      await eventually(() => started.count === 1);
      if (entry === "fetch handler") await new StreamReader(await response).cancel();
      else controller.abort();
      await eventually(() => aborted.length === 1, "the abort");
      assert.match(String((aborted[0] as Error).cause), /The client has gone/);
    });

    test("HTTP-73: a silent call becomes a stream that shows signs of life", async (t) => {
      const { server, release } = probe();
      const send = await start(t, server, { keepAlive: 20 });
      const response = await openCall(send, "tools/call", {
        params: { name: "wait" },
      });
      const stream = new StreamReader(response);
      await eventually(() => stream.text.split(":\n\n").length > 3);
      release();
      await eventually(() => stream.ended);
      assert.equal(stream.messages.length, 1);
    });

    test("SUBS-03 SUBS-08 SUBS-12 SUBS-13: listening begins with the agreement and ends with a result", async (t) => {
      const { server } = probe();
      const send = await start(t, server);
      const params = { notifications: { toolsListChanged: true } };
      const stream = new StreamReader(await openCall(send, "subscriptions/listen", { params, id: "sub" }));
      await eventually(() => stream.messages.length === 1);
      server.tool("late", {}, () => "");
      await eventually(() => stream.messages.length === 2);
      await send.close();
      await eventually(() => stream.ended);
      assert.deepEqual(
        stream.messages.map(({ method, id, params: each, result }) => [method ?? id, subscriptionOf(each ?? result)]),
        [
          ["notifications/subscriptions/acknowledged", "sub"],
          ["notifications/tools/list_changed", "sub"],
          ["sub", "sub"],
        ],
      );
    });

    test("SUBS-11: closing the stream ends the subscription", async (t) => {
      const { server } = probe();
      const send = await start(t, server);
      const controller = new AbortController();
      const params = { notifications: { toolsListChanged: true } };
      const response = await openCall(send, "subscriptions/listen", { params, signal: controller.signal });
      const stream = new StreamReader(response);
      await eventually(() => stream.messages.length === 1);
      await stream.cancel();
      controller.abort();
      await pause(20);
      server.tool("late", {}, () => "");
      await pause(20);
      assert.equal(stream.messages.length, 1);
    });

    test("D20: what one server began another one goes on with", async (t) => {
      const sends = [await start(t, probe().server), await start(t, probe().server)];
      for (let i = 0; i < 4; i++) assert.equal(textOf(await tool(sends[i % 2]!, "echo", { text: `${i}` })), `${i}`);
    });
  });

describe("a server that speaks no handshake revision", () => {
  for (const [entry, start] of entries) {
    test(`HTTP-77: GET and DELETE get 405, ${entry}`, async (t) => {
      const send = await start(t, modern().server);
      for (const method of ["GET", "DELETE"]) {
        const response = await send(method, { Accept: "text/event-stream", "Mcp-Session-Id": "x" });
        assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"]);
      }
    });

    test(`ERA-15 HTTP-80 Q42: initialize gets 400, -32022 and the versions, ${entry}`, async (t) => {
      const send = await start(t, modern().server);
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
      const reply = await replyOf(await post(send, { jsonrpc: "2.0", id: 1, method: "initialize", params }));
      assert.deepEqual([reply.status, codeOf(reply)], [400, -32022]);
      assert.deepEqual(reply.messages[0]?.error?.data, { supported: ["2026-07-28"], requested: "2025-06-18" });
    });

    test(`HDR-07: a request without claim or header gets 400, ${entry}`, async (t) => {
      const send = await start(t, modern().server);
      const reply = await replyOf(await post(send, { jsonrpc: "2.0", id: 1, method: "tools/list" }));
      assert.deepEqual([reply.status, codeOf(reply)], [400, -32602]);
    });
  }
});

test("D02: 10,000 stateless calls of a server with 50 tools leave nothing behind", async (t) => {
  const { server } = probe();
  for (let i = 0; i < 50; i++) server.tool(`tool-${i}`, { input: { type: "object" } }, () => "done");
  const start = new Map(entries).get("fetch handler");
  const send = await start!(t, server);
  const calls = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) assert.equal((await tool(send, `tool-${i % 50}`)).status, 200);
  };
  await calls(2000);
  const before = bytesInUse();
  await calls(10_000);
  // What the runtime keeps of its own requests for a while comes to a tenth of this; a server of one's own has 50 kB.
  const grown = (bytesInUse() - before) / 10_000;
  assert.ok(grown < 1000, `each call left ${grown} bytes`);
});

function V(version: string | undefined): { "MCP-Protocol-Version": string | undefined } {
  return { "MCP-Protocol-Version": version };
}

function M(method: string | undefined): { "Mcp-Method": string | undefined } {
  return { "Mcp-Method": method };
}

function N(name: string | undefined): { "Mcp-Name": string | undefined } {
  return { "Mcp-Name": name };
}

const subscriptionOf = (params: unknown): unknown =>
  (params as { _meta?: { [key: string]: unknown } })._meta?.[`${META}subscriptionId`];

const modern = (): ReturnType<typeof probe> =>
  probe({ revisions: revisions.filter(({ lifecycle }) => lifecycle === "stateless") });
