// Asking a person: what servers send, what clients take, in every revision that knows it (client/elicitation).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError, memoryPair } from "@x/jsonrpc";
import { type ElicitResult, UrlElicitationRequiredError } from "@x/mcp";
import { type Client, connect } from "@x/mcp/client";
import { McpServer, type Schema, type Visited } from "@x/mcp/server";
import * as v from "valibot";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { z } from "zod";
import { both, joined, scripted, settle, until } from "../joined.ts";
import { answer as answered } from "../../src/client/answering.ts";
import { Wire, resultOf, stateless, textOf } from "../wire.ts";

type Fields = { readonly [name: string]: unknown };

const forms = { elicitation: { form: {}, url: {} } };
const CREATE = "elicitation/create";
const COMPLETE = "notifications/elicitation/complete";

/** A server with one tool, which shows this form and gives what came back. */
function showing(schema: Schema): McpServer {
  const server = new McpServer({ name: "form", version: "1.0.0" });
  server.tool("ask", {}, async (_args, { elicit }) => JSON.stringify(await elicit("form", { message: "?", schema })));
  return server;
}

/** The form as a client of a revision gets it. */
async function formOf(schema: Schema, version = "2025-11-25"): Promise<Fields> {
  const wire = await Wire.greeted(showing(schema), version, { capabilities: forms });
  void wire.ask("tools/call", { name: "ask" });
  const { params } = await wire.asked(CREATE);
  wire.close();
  return params as Fields;
}

const slowly = async (): Promise<ElicitResult> => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  return { action: "decline" };
};

/** A slow person's client, joined to a server whose requests have 10 ms, and its questions `ttl`. */
async function hurried(ttl: number): Promise<Client> {
  const server = new McpServer({ name: "form", version: "1.0.0" }, { state: { ttl } });
  const schema = z.object({ name: z.string() });
  server.tool("ask", {}, async (_args, { elicit }) => (await elicit("form", { message: "?", schema })).action);
  const [near, far] = memoryPair();
  server.connect(far, { timeout: 10, onError: () => {} });
  return await connect(near, { name: "test", version: "1.0.0" }, { lifecycle: "handshake", elicit: slowly });
}

const fieldOf = async (field: Schema, version?: string): Promise<unknown> => {
  const { requestedSchema } = await formOf({ type: "object", properties: { field } }, version);
  return (requestedSchema as { properties: Fields }).properties["field"];
};

describe("a form", () => {
  test("is a request of its own after a handshake, and its answer is what the handler gets (ELIC-05, ELIC-07, ELIC-08, BASE-11)", async () => {
    const wire = await Wire.greeted(showing(z.object({ name: z.string() })), "2025-11-25", { capabilities: forms });
    const call = wire.ask("tools/call", { name: "ask" });
    const { params } = await wire.answer(CREATE, { action: "accept", content: { name: "Ada" } });
    const { message, mode, requestedSchema, ...rest } = params as Fields;
    assert.deepEqual([message, mode, rest], ["?", "form", {}]);
    const { properties, required, type } = requestedSchema as Fields;
    assert.deepEqual([type, properties, required], ["object", { name: { type: "string" } }, ["name"]]);
    assert.deepEqual(JSON.parse(textOf(await call)), { accepted: true, action: "accept", content: { name: "Ada" } });
  });

  for (const action of ["decline", "cancel"])
    test(`that a person ${action}s is no failure: the handler decides (ELIC-35, ELIC-22, ELIC-23)`, async () => {
      const wire = await Wire.greeted(showing(z.object({ name: z.string() })), "2025-11-25", { capabilities: forms });
      const call = wire.ask("tools/call", { name: "ask" });
      await wire.answer(CREATE, { action });
      assert.deepEqual(JSON.parse(textOf(await call)), { accepted: false, action });
      const stateful = Wire.to(showing(z.object({ name: z.string() })));
      const meta = { "io.modelcontextprotocol/clientCapabilities": forms };
      const params = stateless({ name: "ask", inputResponses: { form: { action } } }, meta);
      assert.deepEqual(JSON.parse(textOf(await stateful.ask("tools/call", params))), { accepted: false, action });
    });

  test("gives a person more time than a program, and not for ever (TIME-01, TIME-03)", async () => {
    const patient = await hurried(60_000);
    assert.deepEqual((await patient.callTool("ask")).content, [{ type: "text", text: "decline" }]);
    const hasty = await hurried(20);
    const { content } = await hasty.callTool("ask");
    assert.deepEqual(content, [{ type: "text", text: `No answer to "${CREATE}" within 20 ms` }]);
  });

  test("that a client fails to show is an error that the handler sees (ELIC-35)", async () => {
    const wire = await Wire.greeted(showing(z.object({ name: z.string() })), "2025-11-25", { capabilities: forms });
    const call = wire.ask("tools/call", { name: "ask" });
    const { id } = await wire.asked(CREATE);
    wire.send({ jsonrpc: "2.0", id, error: { code: -32603, message: "no screen" } });
    assert.deepEqual((await call).error, { code: -32603, message: "no screen" });
    const again = wire.ask("tools/call", { name: "ask" });
    await wire.answer(CREATE, { action: "accept", content: { name: 7 } });
    assert.match(String((await again).error?.message), /does not fit the form: name/);
  });

  for (const [what, schema, expected] of [
    [
      "strings with their limits and formats (ELIC-14)",
      { type: "string", title: "T", description: "D", minLength: 1, maxLength: 9, format: "email", default: "a@b.c" },
      undefined,
    ],
    ["no pattern and no other format (ELIC-14)", { type: "string", format: "uuid", pattern: "^a" }, { type: "string" }],
    [
      "numbers (ELIC-15)",
      { type: "number", title: "T", description: "D", minimum: 1, maximum: 9.5, default: 2 },
      undefined,
    ],
    ["integers (ELIC-15)", { type: "integer", minimum: 1, maximum: 9 }, undefined],
    ["booleans (ELIC-16)", { type: "boolean", title: "T", description: "D", default: true }, undefined],
    ["a choice (ELIC-18)", { type: "string", enum: ["a", "b"], default: "b" }, undefined],
    [
      "a choice with titles (ELIC-18)",
      { type: "string", oneOf: [{ const: "a", title: "A" }], default: "a" },
      undefined,
    ],
    ["a choice with titles beside it (ELIC-17, ELIC-20)", { type: "string", enum: ["a"], enumNames: ["A"] }, undefined],
    [
      "several choices (ELIC-19)",
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 2, default: ["a"] },
      undefined,
    ],
    [
      "several choices with titles (ELIC-19)",
      { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
      undefined,
    ],
  ] as const)
    test(`has ${what}`, async () => assert.deepEqual(await fieldOf(schema), expected ?? schema));

  test("in 2025-06-18 has no mode, and a choice's titles stand beside it (ELIC-07, ELIC-17, LIFE-15)", async () => {
    const titled = {
      type: "string",
      title: "T",
      oneOf: [
        { const: "a", title: "A" },
        { const: "b", title: "B" },
      ],
    } as const;
    const properties = { titled, plain: { type: "string", enum: ["x"] }, free: { type: "string" } } as const;
    assert.deepEqual(await formOf({ type: "object", properties, required: ["free"] }, "2025-06-18"), {
      message: "?",
      requestedSchema: {
        type: "object",
        properties: {
          ...properties,
          titled: { type: "string", title: "T", enum: ["a", "b"], enumNames: ["A", "B"] },
        },
        required: ["free"],
      },
    });
  });

  test("is what any schema library says of it (ELIC-13)", async () => {
    const expected = { size: { type: "integer", minimum: 1, maximum: 9 }, name: { type: "string" } };
    for (const schema of [
      z.object({ size: z.int().min(1).max(9), name: z.string() }),
      toStandardJsonSchema(
        v.object({ size: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(9)), name: v.string() }),
      ),
    ]) {
      const { requestedSchema } = await formOf(schema);
      const { type, properties, required, ...rest } = requestedSchema as Fields;
      assert.deepEqual([type, properties, required, rest], ["object", expected, ["size", "name"], {}]);
    }
  });

  for (const [what, schema] of [
    ["an object within", z.object({ inner: z.object({ a: z.string() }) })],
    ["a list of anything", z.object({ list: z.string().nullable() })],
    ["no object at all", z.string()],
  ] as const)
    test(`with ${what} is refused before anybody is asked (ELIC-13)`, async () => {
      const wire = await Wire.greeted(showing(schema), "2025-11-25", { capabilities: forms });
      const result = resultOf(await wire.ask("tools/call", { name: "ask" }));
      assert.equal(result["isError"], true);
      assert.match(JSON.stringify(result), /a form's (field|schema)/);
      assert.equal(
        wire.received.some((message) => "method" in message),
        false,
      );
    });
});

/** A server with one tool, which has a person open an address. */
function sending(url: string, then: (answer: Visited) => unknown = () => {}): McpServer {
  const server = new McpServer({ name: "desk", version: "1.0.0" });
  server.tool("pay", {}, async (_args, { elicitUrl }) => {
    const answer = await elicitUrl("pay", { message: "Please pay", url });
    await then(answer);
    return answer.action;
  });
  return server;
}

describe("an address", () => {
  const url = "https://pay.example/7?token=x";

  test("after a handshake has an id of its own, which is told when it is done, to who was asked alone (ELIC-10, ELIC-24, ELIC-26, ELIC-27)", async () => {
    const visits: Visited[] = [];
    const server = sending(url, (answer) => visits.push(answer));
    const wire = await Wire.greeted(server, "2025-11-25", { capabilities: forms });
    const other = await Wire.greeted(server, "2025-11-25", { capabilities: forms });
    const ids: unknown[] = [];
    for (const client of [wire, other]) {
      const call = client.ask("tools/call", { name: "pay" });
      const { params } = await client.answer(CREATE, { action: "accept" });
      const { elicitationId, ...rest } = params as Fields;
      assert.deepEqual(rest, { mode: "url", message: "Please pay", url });
      ids.push(elicitationId);
      assert.equal(textOf(await call), "accept");
      assert.deepEqual(client.heard(COMPLETE), []);
    }
    assert.equal(new Set(ids).size, 2);
    const [first] = visits;
    assert.ok(first?.accepted);
    await first.completed();
    await settle();
    assert.deepEqual(wire.heard(COMPLETE), [{ elicitationId: ids[0] }]);
    assert.deepEqual(other.heard(COMPLETE), []);
  });

  test("without one has no id and no notice: who calls again finds out (ELIC-11, ELIC-34)", async () => {
    const server = sending(url, async (answer) => answer.accepted && (await answer.completed()));
    const wire = Wire.to(server);
    const meta = { "io.modelcontextprotocol/clientCapabilities": forms };
    const first = resultOf(await wire.ask("tools/call", stateless({ name: "pay" }, meta)));
    const { requestState, inputRequests } = first as { requestState: string; inputRequests: Fields };
    assert.deepEqual(inputRequests, { pay: { method: CREATE, params: { mode: "url", message: "Please pay", url } } });
    const inputResponses = { pay: { action: "accept" } };
    const params = stateless({ name: "pay", requestState, inputResponses }, meta);
    assert.equal(textOf(await wire.ask("tools/call", params)), "accept");
    assert.deepEqual(wire.heard(COMPLETE), []);
  });

  for (const capabilities of [{}, { elicitation: {} }, { elicitation: { form: {} } }])
    test(`is asked of nobody who declares ${JSON.stringify(capabilities)} (ELIC-02, ELIC-04, LIFE-16)`, async () => {
      const wire = await Wire.greeted(sending(url), "2025-11-25", { capabilities });
      const answer = await wire.ask("tools/call", { name: "pay" });
      assert.match(textOf(answer), /"pay" was not asked: the client does not declare \{"elicitation":/);
      assert.equal(
        wire.received.some((message) => "method" in message),
        false,
      );
      const meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
      const { error } = await Wire.to(sending(url)).ask("tools/call", stateless({ name: "pay" }, meta));
      assert.equal(error?.code, -32021);
    });

  for (const version of both)
    test(`is not asked where it is none (ELIC-12, ${version})`, async () => {
      const client = await joined(sending("not a url"), version, { elicitUrl: () => ({ action: "accept" }) });
      const { content, isError } = await client.callTool("pay");
      assert.deepEqual([isError, content], [true, [{ type: "text", text: 'elicitUrl: "not a url" is no URL' }]]);
    });
});

describe("a call that fails since something has to be opened first", () => {
  const elicitations = [
    { mode: "url", message: "Sign in", url: "https://sign.example/1", elicitationId: "one" },
    { mode: "url", message: "Pay", url: "https://pay.example/2", elicitationId: "two" },
  ] as const;

  function closed(): { server: McpServer; open: () => void } {
    const server = new McpServer({ name: "closed", version: "1.0.0" });
    let isOpen = false;
    let notify!: (method: string, params: object) => unknown;
    server.tool("enter", {}, (_args, context) => {
      notify = (method, params) => context.notify(method, params);
      if (!isOpen) throw new UrlElicitationRequiredError({ elicitations });
      return "welcome";
    });
    server.prompt("enter", {}, () => {
      throw new UrlElicitationRequiredError({ elicitations });
    });
    server.resource("x:old", {}, () => {
      throw new RpcError(-32002, "Not there any more", { uri: "x:old" });
    });
    return {
      server,
      open: () => {
        isOpen = true;
        for (const { elicitationId } of elicitations) notify(COMPLETE, { elicitationId });
      },
    };
  }

  test("in 2025-11-25 it is -32042 with all of it; the client gets a class, and waits to be told before it tries again (ELIC-29, ELIC-30, ELIC-31, ELIC-32, BASE-36)", async () => {
    const { server, open } = closed();
    const client = await joined(server, "2025-11-25");
    const failed = await client.callTool("enter").catch((error: unknown) => error);
    assert.ok(failed instanceof UrlElicitationRequiredError);
    assert.equal(failed.code, -32042);
    assert.deepEqual(failed.data, { elicitations });
    const opened = Promise.all(failed.data.elicitations.map(({ elicitationId }) => client.urlCompleted(elicitationId)));
    open();
    await opened;
    assert.deepEqual((await client.callTool("enter")).content, [{ type: "text", text: "welcome" }]);
  });

  for (const version of ["2026-07-28", "2025-06-18", "2024-11-05"])
    test(`in ${version} there is no such error: a tool says it in words (ELIC-34, BASE-42, BASE-43)`, async () => {
      const { server } = closed();
      const client = await joined(server, version);
      const { isError, content } = await client.callTool("enter");
      const text =
        "Something has to be opened in a browser first\nSign in: https://sign.example/1\nPay: https://pay.example/2";
      assert.deepEqual([isError, content], [true, [{ type: "text", text }]]);
      await assert.rejects(client.getPrompt("enter"), { code: -32603 });
    });

  test("-32002 is said where it is known, and -32602 elsewhere (BASE-43, RES-15)", async () => {
    for (const [version, code] of [
      ["2025-11-25", -32002],
      ["2026-07-28", -32602],
    ] as const) {
      const client = await joined(closed().server, version);
      await assert.rejects(client.request("resources/read", { uri: "x:old" }), { code, data: { uri: "x:old" } });
    }
  });
});

describe("a client that hears that something is done", () => {
  test("waits for its id alone; others, and those that are done already, are ignored (ELIC-28)", async () => {
    const { client, peer } = await scripted("2025-11-25", {}, {});
    const done: string[] = [];
    const wait = (id: string): Promise<unknown> => client.urlCompleted(id).then(() => done.push(id));
    const waits = [wait("a"), wait("b"), wait("a")];
    for (const params of [{ elicitationId: "z" }, {}, undefined, { elicitationId: 7 }, { elicitationId: "a" }])
      await peer.notify(COMPLETE, params);
    await until(() => done.length === 2);
    await peer.notify(COMPLETE, { elicitationId: "a" });
    await settle();
    assert.deepEqual(done, ["a", "a"]);
    await peer.notify(COMPLETE, { elicitationId: "b" });
    await Promise.all(waits);
  });

  test("waits no longer than the caller wants, or the connection lives", async () => {
    const { client } = await scripted("2025-11-25", {}, {});
    const stop = new AbortController();
    const waiting = client.urlCompleted("a", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await assert.rejects(waiting, { message: "enough" });
    await assert.rejects(client.urlCompleted("a", { signal: stop.signal }), { message: "enough" });
    const other = client.urlCompleted("b");
    await client.close();
    await assert.rejects(other, { name: "ClosedError" });
    await assert.rejects(client.urlCompleted("b"), { name: "ClosedError" });
  });

  test("rejects when the connection ends before anybody has waited", async () => {
    const { client } = await scripted("2025-11-25", {}, {});
    const waiting = client.urlCompleted("a");
    await client.close();
    await assert.rejects(waiting, { name: "ClosedError" });
  });
});

const decline = (): { action: "decline" } => ({ action: "decline" });
const declaredIn = (capabilities: unknown): unknown => (capabilities as { elicitation?: unknown }).elicitation;

describe("a client that is asked for a person", () => {
  test("opens no dialog for a question that was given up before its code was there", async () => {
    let opened = 0;
    const elicit = (): { action: "decline" } => (opened++, { action: "decline" });
    const params = { message: "?", requestedSchema: { type: "object", properties: {} } };
    const enough = new Error("enough");
    const answering = answered({ elicit }, "elicitation/create", params, { signal: AbortSignal.abort(enough) });
    await assert.rejects(answering, enough);
    assert.equal(opened, 0);
  });

  const form = { message: "?", requestedSchema: { type: "object", properties: {} } };
  const page = { mode: "url", message: "?", url: "https://x.example", elicitationId: "i" };

  for (const [options, declared] of [
    [{}, undefined],
    [{ elicit: decline }, { form: {} }],
    [{ elicitUrl: decline }, { url: {} }],
    [
      { elicit: decline, elicitUrl: decline },
      { form: {}, url: {} },
    ],
  ] as const)
    test(`declares ${JSON.stringify(declared)}, at initialize or with each request (ELIC-01, ELIC-03, CAP-02)`, async () => {
      const offers: unknown[] = [];
      const initialize = ({ capabilities }: Fields): object => {
        offers.push(declaredIn(capabilities));
        return { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
      };
      await scripted("2025-11-25", {}, { initialize }, options);
      const modern = await scripted("2026-07-28", { tools: {} }, { "tools/list": () => ({ tools: [] }) }, options);
      await modern.client.listTools();
      const meta = modern.asked[0]?.params["_meta"] as Fields;
      offers.push(declaredIn(meta["io.modelcontextprotocol/clientCapabilities"]));
      assert.deepEqual(offers, [declared, declared]);
    });

  for (const [what, options, params] of [
    ["a mode that it does not declare: url", { elicit: decline }, page],
    ["a mode that it does not declare: form", { elicitUrl: decline }, form],
    ["a mode that nobody knows", { elicit: decline, elicitUrl: decline }, { ...form, mode: "voice" }],
    ["a form without a message", { elicit: decline }, { requestedSchema: form.requestedSchema }],
    ["a form without a schema", { elicit: decline }, { message: "?" }],
    ["an address that is none", { elicitUrl: decline }, { ...page, url: "not a url" }],
    ["an address without a message", { elicitUrl: decline }, { mode: "url", url: page.url }],
    ["an address that is missing", { elicitUrl: decline }, { mode: "url", message: "?" }],
  ] as const)
    test(`refuses ${what} (-32602; ELIC-07, ELIC-12, ELIC-33)`, async () => {
      const { peer } = await scripted("2025-11-25", {}, {}, options);
      await assert.rejects(peer.request(CREATE, params), { code: -32602 });
    });

  test("shows the address as it came, and answers without content (ELIC-23, ELIC-24)", async () => {
    const shown: unknown[] = [];
    const elicitUrl = (asked: unknown): { action: "accept" } => {
      shown.push(asked);
      return { action: "accept" };
    };
    const { peer } = await scripted("2025-11-25", {}, {}, { elicitUrl });
    assert.deepEqual(await peer.request(CREATE, page), { action: "accept" });
    assert.deepEqual(shown, [page]);
  });

  test("a form without a mode is a form, and its legacy titles come along (ELIC-09, ELIC-20)", async () => {
    const legacy = {
      type: "object",
      properties: { a: { type: "string", enum: ["x"], enumNames: ["X"], default: "x" } },
    };
    const shown: unknown[] = [];
    const { peer } = await scripted(
      "2025-06-18",
      {},
      {},
      { elicit: (asked) => (shown.push(asked), { action: "accept" }) },
    );
    assert.deepEqual(await peer.request(CREATE, { message: "?", requestedSchema: legacy }), {
      action: "accept",
      content: { a: "x" },
    });
    assert.deepEqual(shown, [{ message: "?", requestedSchema: legacy }]);
  });

  test("a server whose revision has no elicitation doesn't get any (CAP-03)", async () => {
    const { peer } = await scripted("2025-03-26", {}, {}, { elicit: decline });
    await assert.rejects(peer.request(CREATE, form), { code: -32601 });
  });
});
