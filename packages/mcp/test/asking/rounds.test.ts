// Questions without a handshake, as a client sees them on the wire (basic/patterns/mrtr).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { settle, until } from "../joined.ts";
import { type Answer, Wire, resultOf, stateless, textOf } from "../wire.ts";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

type Fields = { readonly [name: string]: unknown };
type Requests = { readonly [key: string]: { readonly method: string; readonly params: Fields } };

interface Round {
  readonly inputRequests: Requests;
  readonly requestState: string;
}

const Name = z.object({ name: z.string() });
const named = (name: string): object => ({ action: "accept", content: { name } });

/** Its tools ask for names, one after another or at once, and count what they do. */
function curious(options?: ConstructorParameters<typeof McpServer>[1]): { server: McpServer; worked: string[] } {
  const server = new McpServer({ name: "curious", version: "1.0.0" }, options);
  const worked: string[] = [];
  const one = { message: "Your name?", schema: Name };
  server.tool("greet", {}, async (_args, { elicit }) => `Hello ${(await elicit("who", one)).content?.name}`);
  server.tool("chain", { input: z.object({ long: z.number().default(3) }) }, async ({ long }, { elicit, once }) => {
    const names: string[] = [];
    for (let i = 0; i < long; i++) {
      names.push((await elicit(`name-${i}`, one)).content?.name ?? "nobody");
      await once(`work-${i}`, () => worked.push(`work-${i}`));
    }
    return names.join(", ");
  });
  server.tool("both", {}, async (_args, { elicit, listRoots }) => {
    const [who, roots] = await Promise.all([elicit("who", one), listRoots()]);
    return `${who.content?.name} in ${roots[0]?.uri}`;
  });
  server.tool("started", {}, async (_args, { elicit }) => {
    const [who, whom] = [elicit("who", one), elicit("whom", one)];
    return `${(await who).content?.name} and ${(await whom).content?.name}`;
  });
  server.tool("where", {}, async (_args, { listRoots }) => `${(await listRoots()).length} roots`);
  server.tool("swallows", {}, async (_args, { elicit }) => {
    const answer = await elicit("who", one).catch(() => undefined);
    return answer ? "answered" : "not answered";
  });
  server.prompt("poem", {}, async (_args, { elicit }) => `A poem for ${(await elicit("who", one)).content?.name}`);
  server.resource("x:1", {}, async (_variables, { elicit }) => `of ${(await elicit("who", one)).content?.name}`);
  server.method("com.example/ask", async (_params, { elicit }) => ({ name: (await elicit("who", one)).content?.name }));
  return { server, worked };
}

const ask = (wire: Wire, method: string, params: object, capabilities: object = everything): Promise<Answer> =>
  wire.ask(method, stateless(params, { [CAPABILITIES]: capabilities }));
const call = (wire: Wire, name: string, more: object = {}): Promise<Answer> =>
  ask(wire, "tools/call", { name, ...more });
const roundOf = (answer: Answer): Round => {
  assert.equal(resultOf(answer)["resultType"], "input_required", JSON.stringify(answer));
  return resultOf(answer) as unknown as Round;
};

describe("a handler that asks without a handshake", () => {
  test("may await questions of one turn one after the other: the second leaves no unhandled rejection", async (t) => {
    const unhandled = t.mock.fn();
    process.on("unhandledRejection", unhandled);
    t.after(() => process.off("unhandledRejection", unhandled));
    const wire = Wire.to(curious().server);
    const { inputRequests, requestState } = roundOf(await call(wire, "started"));
    assert.deepEqual(Object.keys(inputRequests), ["who", "whom"]);
    const inputResponses = { who: named("Ada"), whom: named("Bob") };
    assert.equal(textOf(await call(wire, "started", { requestState, inputResponses })), "Ada and Bob");
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(unhandled.mock.callCount(), 0);
  });

  test("is answered by its question, and by its end with the answer (MRTR-01, MRTR-02, MRTR-05, MRTR-07, BASE-12, BASE-21, ELIC-06)", async () => {
    const wire = Wire.to(curious().server);
    const { inputRequests, requestState, ...rest } = roundOf(await call(wire, "greet")) as Round & Fields;
    assert.deepEqual(Object.keys(rest), ["resultType", "_meta"]);
    const {
      $schema: _1,
      additionalProperties: _2,
      ...requestedSchema
    } = (inputRequests["who"]?.params ?? {})["requestedSchema"] as Fields;
    assert.deepEqual(inputRequests, {
      who: { method: "elicitation/create", params: { mode: "form", message: "Your name?", requestedSchema } },
    });
    assert.equal(typeof requestState, "string");
    const answer = await call(wire, "greet", { requestState, inputResponses: { who: named("Ada") } });
    assert.equal(textOf(answer), "Hello Ada");
    assert.deepEqual(
      wire.received.filter((message) => "method" in message),
      [],
    );
  });

  for (const [method, params, result] of [
    ["tools/call", { name: "greet" }, "Hello Ada"],
    ["prompts/get", { name: "poem" }, "A poem for Ada"],
    ["resources/read", { uri: "x:1" }, "of Ada"],
  ] as const)
    test(`may do so in ${method} (MRTR-03)`, async () => {
      const wire = Wire.to(curious().server);
      const { requestState } = roundOf(await ask(wire, method, params));
      const answer = await ask(wire, method, { ...params, requestState, inputResponses: { who: named("Ada") } });
      assert.equal(resultOf(answer)["resultType"], "complete");
      assert.ok(JSON.stringify(answer).includes(result), JSON.stringify(answer));
    });

  test("may not in any other method, which fails and says why (MRTR-04)", async () => {
    const errors: unknown[] = [];
    const { server } = curious();
    server.use((_call, next) =>
      Promise.resolve(next()).catch((error: unknown) => {
        errors.push(error);
        throw error;
      }),
    );
    server.resource(
      "y:{name}",
      { complete: { name: async (_value, _others, { listRoots }) => (await listRoots()).map(({ uri }) => uri) } },
      () => "",
    );
    const wire = Wire.to(server);
    const argument = { name: "name", value: "" };
    for (const [method, params] of [
      ["com.example/ask", {}],
      ["completion/complete", { ref: { type: "ref/resource", uri: "y:{name}" }, argument }],
    ] as const) {
      assert.equal((await ask(wire, method, params)).error?.code, -32603, method);
      assert.match(String(errors.pop()), new RegExp(`was not asked: ${method} can't ask the client for input`));
    }
    for (const method of [
      "tools/list",
      "prompts/list",
      "resources/list",
      "resources/templates/list",
      "server/discover",
    ])
      assert.equal(resultOf(await ask(wire, method, {}))["resultType"], "complete", method);
  });

  test("asks as often as it needs, and work in once is done once (MRTR-09)", async () => {
    const { server, worked } = curious();
    const wire = Wire.to(server);
    let more: object = {};
    for (let i = 0; i < 3; i++) {
      const { inputRequests, requestState } = roundOf(await call(wire, "chain", more));
      assert.deepEqual(Object.keys(inputRequests), [`name-${i}`]);
      more = { requestState, inputResponses: { [`name-${i}`]: named(`N${i}`) } };
    }
    assert.equal(textOf(await call(wire, "chain", more)), "N0, N1, N2");
    assert.deepEqual(worked, ["work-0", "work-1", "work-2"]);
  });

  test("does work once that still runs when the questions go out", async () => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    let paid = 0;
    server.tool("pay", {}, async (_args, { elicit, once }) => {
      const paying = once("pay", async () => {
        await settle();
        return ++paid;
      });
      const { content } = await elicit("who", { message: "Your name?", schema: Name });
      return `${content?.name} paid ${await paying}`;
    });
    const wire = Wire.to(server);
    const { requestState } = roundOf(await call(wire, "pay"));
    const answer = await call(wire, "pay", { requestState, inputResponses: { who: named("Ada") } });
    assert.deepEqual([textOf(answer), paid], ["Ada paid 1", 1]);
  });

  test("goes on under middleware that changes the parameters", async () => {
    const { server } = curious();
    server.use((context, next) => {
      context.params = { ...context.params, arguments: { long: 1 } };
      return next();
    });
    const wire = Wire.to(server);
    const { requestState } = roundOf(await call(wire, "chain"));
    const answer = await call(wire, "chain", { requestState, inputResponses: { "name-0": named("Ada") } });
    assert.equal(textOf(answer), "Ada");
  });

  test("puts questions that are asked at once into one round", async () => {
    const wire = Wire.to(curious().server);
    const { inputRequests, requestState } = roundOf(await call(wire, "both"));
    assert.deepEqual(Object.keys(inputRequests), ["who", "roots"]);
    const inputResponses = { who: named("Ada"), roots: { roots: [{ uri: "file:///home" }] } };
    assert.equal(textOf(await call(wire, "both", { requestState, inputResponses })), "Ada in file:///home");
  });

  test("is asked again what it was not told, and keeps what it was (MRTR-23, MRTR-26, MRTR-29)", async () => {
    const wire = Wire.to(curious().server);
    const first = roundOf(await call(wire, "both"));
    for (const wrong of [
      {},
      { who: { jsonrpc: "2.0", id: 1, result: named("Ada") } },
      { who: { method: "elicitation/create", result: named("Ada") } },
      { who: null },
      { who: "Ada" },
      { who: { action: "perhaps" } },
    ]) {
      const roots = { roots: [{ uri: "file:///home" }] };
      const again = roundOf(
        await call(wire, "both", { requestState: first.requestState, inputResponses: { ...wrong, roots } }),
      );
      assert.deepEqual(Object.keys(again.inputRequests), ["who"], JSON.stringify(wrong));
      const last = { requestState: again.requestState, inputResponses: { who: named("Ada") } };
      assert.equal(textOf(await call(wire, "both", last)), "Ada in file:///home");
    }
  });

  test("ignores answers to questions that nobody asked, whatever they are called (MRTR-25, G11)", async () => {
    const wire = Wire.to(curious().server);
    const { requestState } = roundOf(await call(wire, "both"));
    const stray = JSON.parse('{"__proto__":{"roots":[]},"constructor":1,"stray":{"action":"accept"}}') as object;
    const again = roundOf(await call(wire, "both", { requestState, inputResponses: { ...stray, who: named("Ada") } }));
    assert.deepEqual(Object.keys(again.inputRequests), ["roots"]);
    assert.ok(again.requestState.length < requestState.length + 200, "strays travel no further");
  });

  test("works without a state too: the answers that come are all there are", async () => {
    const wire = Wire.to(curious().server);
    assert.equal(textOf(await call(wire, "greet", { inputResponses: { who: named("Ada") } })), "Hello Ada");
  });

  for (const [params, what] of [
    [{ inputResponses: 5 }, '"inputResponses" must be an object'],
    [{ inputResponses: [] }, '"inputResponses" must be an object'],
    [{ requestState: 5 }, '"requestState" must be a string'],
  ] as const)
    test(`${JSON.stringify(params)} is -32602 (MRTR-24)`, async () => {
      const wire = Wire.to(curious().server);
      assert.deepEqual((await call(wire, "greet", params)).error, { code: -32602, message: what });
    });

  test("fields of a round mean nothing where nothing is asked", async () => {
    const wire = Wire.to(curious().server);
    assert.equal((await ask(wire, "tools/list", { requestState: "x", inputResponses: 5 })).error, undefined);
  });

  test("content that doesn't fit the form is -32602, and says where (ELIC-64)", async () => {
    const wire = Wire.to(curious().server);
    const { error } = await call(wire, "greet", {
      inputResponses: { who: { action: "accept", content: { name: 7 } } },
    });
    assert.equal(error?.code, -32602);
    assert.match(error.message, /The answer to "who" does not fit the form: name: .* \(at \/name\)/);
  });

  test("a handler that swallows the question is asked again all the same", async () => {
    const wire = Wire.to(curious().server);
    const { requestState } = roundOf(await call(wire, "swallows"));
    const answer = await call(wire, "swallows", { requestState, inputResponses: { who: named("Ada") } });
    assert.equal(textOf(answer), "answered");
  });

  test("a question that a handler has kept from another call is an error of its own", async () => {
    const { server } = curious();
    let kept: Promise<unknown> | undefined;
    server.tool("keeps", {}, async (_args, { elicit }) => {
      await (kept ??= elicit("who", { message: "Your name?", schema: Name }));
      return "done";
    });
    const wire = Wire.to(server);
    const { requestState } = roundOf(await call(wire, "keeps"));
    const answer = resultOf(await call(wire, "keeps", { requestState, inputResponses: { who: named("Ada") } }));
    assert.equal(answer["isError"], true);
  });

  test("is no failure to middleware: it sees that there are questions", async () => {
    const { server } = curious();
    const seen: unknown[] = [];
    server.use(async (_call, next) => {
      const result = await next();
      seen.push((result as { resultType?: unknown }).resultType);
      return result;
    });
    const wire = Wire.to(server);
    const { requestState } = roundOf(await call(wire, "greet"));
    await call(wire, "greet", { requestState, inputResponses: { who: named("Ada") } });
    assert.deepEqual(seen, ["input_required", undefined]);
  });

  test("needs no client that comes back: nothing waits (MRTR-08)", async () => {
    const { server } = curious();
    let running = 0;
    server.use((_call, next) => {
      running++;
      return Promise.resolve(next()).finally(() => running--);
    });
    const wire = Wire.to(server);
    roundOf(await call(wire, "greet"));
    await settle();
    assert.equal(running, 0);
    wire.close();
    await until(() => running === 0);
  });

  test("ends after so many rounds (G11, SAMP-23)", async () => {
    const wire = Wire.to(curious({ state: { rounds: 3 } }).server);
    let more: object = {};
    for (let i = 0; i < 3; i++) {
      const { requestState } = roundOf(await call(wire, "chain", { arguments: { long: 100 }, ...more }));
      more = { requestState, inputResponses: { [`name-${i}`]: named("N") } };
    }
    assert.deepEqual((await call(wire, "chain", { arguments: { long: 100 }, ...more })).error, {
      code: -32602,
      message: "The request was given up after 3 rounds of questions",
    });
  });
});

describe("what a client must be able to do before it is asked", () => {
  for (const [tool, capabilities, missing] of [
    ["greet", {}, { elicitation: { form: {} } }],
    ["greet", { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ["where", { elicitation: {} }, { roots: {} }],
  ] as const)
    test(`${tool} with ${JSON.stringify(capabilities)} is -32021, and says what is missing (MRTR-06, MRTR-28, STATE-07, STATE-08, G12, ELIC-04, BASE-35)`, async () => {
      const wire = Wire.to(curious().server);
      const { error } = await ask(wire, "tools/call", { name: tool }, capabilities);
      assert.equal(error?.code, -32021);
      assert.ok(error.message.endsWith(`needs: ${JSON.stringify(missing)}`), error.message);
      assert.deepEqual(error.data, { requiredCapabilities: missing });
    });

  test("a client that names no mode has forms (ELIC-02)", async () => {
    const wire = Wire.to(curious().server);
    roundOf(await ask(wire, "tools/call", { name: "greet" }, { elicitation: {} }));
  });

  test("it counts with each request anew (STATE-06, BASE-56)", async () => {
    const wire = Wire.to(curious().server);
    const { requestState } = roundOf(await call(wire, "both"));
    const params = { name: "both", requestState, inputResponses: { who: named("Ada") } };
    assert.equal((await ask(wire, "tools/call", params, {})).error?.code, -32021);
  });
});

describe("what travels with the client between rounds", () => {
  const params = { name: "greet", arguments: {} };
  const inputResponses = { who: named("Ada") };

  test("comes back from another connection, and another process with the same key (BASE-58)", async () => {
    const key = "a secret of thirty-two bytes or more";
    const { requestState } = roundOf(await call(Wire.to(curious({ state: { key } }).server), "greet", params));
    const other = Wire.to(curious({ state: { key } }).server);
    assert.equal(textOf(await call(other, "greet", { ...params, requestState, inputResponses })), "Hello Ada");
  });

  test("says nothing to who reads it, and is refused when one bit is another (MRTR-18, MRTR-19)", async () => {
    const wire = Wire.to(curious().server);
    const first = roundOf(await call(wire, "both", { arguments: {} }));
    const more = { arguments: {}, requestState: first.requestState, inputResponses: { who: named("secret-name") } };
    const { requestState } = roundOf(await call(wire, "both", more));
    assert.equal(Buffer.from(requestState, "base64url").includes("secret-name"), false);
    for (let at = 0; at < requestState.length; at += 7) {
      const other = requestState[at] === "A" ? "B" : "A";
      const altered = requestState.slice(0, at) + other + requestState.slice(at + 1);
      const { error } = await call(wire, "both", { arguments: {}, requestState: altered, inputResponses: {} });
      assert.equal(error?.code, -32602, `at ${at}`);
      assert.match(error.message, /requestState is refused: it was altered/);
    }
    for (const nonsense of ["", "x", "=", "é", "🙂".repeat(20), `${requestState}-TAMPERED`, requestState.slice(0, -4)])
      assert.equal((await call(wire, "both", { arguments: {}, requestState: nonsense })).error?.code, -32602, nonsense);
  });

  test("is refused for another caller, tool, argument or method, and when it is too old (MRTR-21, ELIC-52, ELIC-55, SEC-11)", async () => {
    const { server } = curious();
    server.tool("hello", {}, () => "");
    const hers = Wire.to(server, "alice");
    const { requestState } = roundOf(await call(hers, "greet", params));
    const back = { requestState, inputResponses };
    for (const [wire, method, own] of [
      [Wire.to(server, "bob"), "tools/call", params],
      [Wire.to(server), "tools/call", params],
      [hers, "tools/call", { ...params, arguments: { loud: true } }],
      [hers, "tools/call", { ...params, name: "swallows" }],
      [hers, "prompts/get", { ...params, name: "poem" }],
    ] as const) {
      const { error } = await ask(wire, method, { ...own, ...back });
      assert.equal(error?.code, -32602);
      assert.match(error.message, /sealed for another caller or request/);
    }
    assert.equal(textOf(await call(Wire.to(server, "alice"), "greet", { ...params, ...back })), "Hello Ada");
    const impatient = Wire.to(curious({ state: { ttl: 1 } }).server, "alice");
    const old = roundOf(await call(impatient, "greet", params));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const late = await call(impatient, "greet", { ...params, requestState: old.requestState, inputResponses });
    assert.deepEqual(late.error?.message, "requestState is refused: it has expired; start again without it");
    const patient = Wire.to(curious({ state: { ttl: Infinity } }).server, "alice");
    const kept = roundOf(await call(patient, "greet", params));
    const more = { requestState: kept.requestState, inputResponses };
    assert.equal(textOf(await call(patient, "greet", { ...params, ...more })), "Hello Ada");
  });

  test("goes by who is authenticated, not by what a client calls itself (ELIC-56, STATE-12)", async () => {
    const { server } = curious();
    const wire = Wire.to(server, "alice");
    const { requestState } = roundOf(await call(wire, "greet"));
    const forged = {
      "io.modelcontextprotocol/clientInfo": { name: "alice", version: "1" },
      [CAPABILITIES]: everything,
    };
    const more = { name: "greet", requestState, inputResponses };
    const stranger = await Wire.to(server, "bob").ask("tools/call", stateless(more, forged));
    assert.equal(stranger.error?.code, -32602);
    const renamed = { ...forged, "io.modelcontextprotocol/clientInfo": { name: "somebody else", version: "2" } };
    assert.equal(textOf(await wire.ask("tools/call", stateless(more, renamed))), "Hello Ada");
  });

  test("may be taken once alone, where the server says so (MRTR-22)", async () => {
    const taken = new Map<string, number>();
    const claim = (id: string, expires: number): boolean => !taken.has(id) && taken.set(id, expires).size > 0;
    const wire = Wire.to(curious({ state: { claim, ttl: 5000 } }).server);
    const { requestState } = roundOf(await call(wire, "greet"));
    const more = { requestState, inputResponses };
    assert.equal(textOf(await call(wire, "greet", more)), "Hello Ada");
    assert.deepEqual((await call(wire, "greet", more)).error, {
      code: -32602,
      message: "requestState is refused: it was used before; start again without it",
    });
    const [expires] = taken.values();
    assert.ok(Math.abs((expires ?? 0) - Date.now() - 5000) < 4000);
  });

  test("needs a key of 32 bytes", () => {
    assert.throws(() => curious({ state: { key: "short" } }), { message: "state.key must have at least 32 bytes" });
  });
});
