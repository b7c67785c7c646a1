// The tasks extension of 2026-07-28 as a client sees it on the wire.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { settle, until } from "../joined.ts";
import { type Answer, Wire, echoServer, resultOf, stateless, textOf } from "../wire.ts";
import { assertRandom } from "../../../../fixtures/random-bits.ts";
import { RANDOM, TIME, workshop } from "./workshop.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const requiredCapabilities = { extensions: { [TASKS]: {} } };

type Fields = { readonly [name: string]: unknown };

/** Parameters of a client that can follow tasks, and answer forms. */
const following = (params: object, more: object = { elicitation: {} }): object =>
  stateless(params, { [CAPABILITIES]: { ...requiredCapabilities, ...more } });

const call = (wire: Wire, name: string, params: object = {}): Promise<Answer> =>
  wire.ask("tools/call", following({ name, ...params }));
const begin = async (wire: Wire, name: string, params?: object): Promise<string> =>
  resultOf(await call(wire, name, params))["taskId"] as string;
const get = async (wire: Wire, taskId: string): Promise<Fields> =>
  resultOf(await wire.ask("tasks/get", following({ taskId })));
const reaches = async (wire: Wire, taskId: string, status: string): Promise<Fields> => {
  await until(async () => (await get(wire, taskId))["status"] === status);
  return await get(wire, taskId);
};

const capabilitiesOf = async (server: McpServer): Promise<Fields> =>
  resultOf(await Wire.to(server).ask("server/discover", stateless()))["capabilities"] as Fields;
/** Without what differs from run to run. */
const bare = ({ createdAt: _1, lastUpdatedAt: _2, taskId: _3, _meta: _4, ...rest }: Fields): Fields => rest;
const colour = (name: string): object => ({ action: "accept", content: { colour: name } });

describe("a server with tools that may become tasks (2026-07-28)", () => {
  test("names the extension and nothing of the older tasks; off where no tool is one (TASKX-01, TASKX-17, EXT-01, EXT-03, EXT-07, EXT-08)", async () => {
    const { extensions, ...rest } = await capabilitiesOf(workshop().server);
    assert.deepEqual(extensions, { "io.modelcontextprotocol/tasks": {} });
    assert.deepEqual(rest, { logging: {}, tools: { listChanged: true } });
    assert.equal("extensions" in (await capabilitiesOf(echoServer())), false);
  });

  test("answers with a task when a call turns out long, with the result when not (TASKX-02, TASKX-10, TASKX-12)", async () => {
    const wire = Wire.to(workshop().server);
    const quick = resultOf(await call(wire, "quick"));
    assert.deepEqual([quick["resultType"], quick["content"]], ["complete", [{ type: "text", text: "quick" }]]);
    const { taskId, createdAt, lastUpdatedAt, _meta, ...rest } = resultOf(await call(wire, "slow"));
    assert.match(String(taskId), RANDOM);
    assert.match(String(createdAt), TIME);
    assert.match(String(lastUpdatedAt), TIME);
    assert.deepEqual(rest, { resultType: "task", status: "working", ttlMs: 3_600_000, pollIntervalMs: 10 });
    assert.deepEqual(Object.keys(_meta as object), ["io.modelcontextprotocol/serverInfo"]);
  });

  test("the task is there as soon as it is named (TASKX-13, TASKX-14)", async () => {
    const wire = Wire.to(workshop().server);
    const other = Wire.to(workshop().server);
    const taskId = await begin(wire, "slow");
    assert.equal((await get(wire, taskId))["taskId"], taskId);
    assert.equal((await other.ask("tasks/get", following({ taskId }))).error?.code, -32602);
  });

  for (const [who, capabilities] of [
    ["nothing of it", {}],
    ["the tasks of 2025-11-25 alone", { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }],
  ] as const)
    test(`gives no task to a client that declares ${who}, and -32021 where nothing else would do (TASKX-03, TASKX-09, TASKX-53, EXT-04, EXT-11, BASE-35)`, async () => {
      const { server, finish } = workshop();
      const wire = Wire.to(server);
      const ask = (name: string): Promise<Answer> =>
        wire.ask("tools/call", stateless({ name }, { [CAPABILITIES]: capabilities }));
      const slow = ask("slow");
      await finish("slow");
      assert.equal(resultOf(await slow)["resultType"], "complete");
      assert.equal(textOf(await slow), "slow is done");
      const { error } = await ask("must");
      assert.deepEqual([error?.code, error?.data], [-32021, { requiredCapabilities }]);
    });

  test("a declaration counts for its own request alone (TASKX-03, STATE-06)", async () => {
    const wire = Wire.to(workshop().server);
    assert.equal(resultOf(await call(wire, "must"))["resultType"], "task");
    assert.equal((await wire.ask("tools/call", stateless({ name: "must" }))).error?.code, -32021);
  });

  test("the older wish for a task is no parameter (TASKX-16)", async () => {
    const wire = Wire.to(workshop().server);
    assert.equal(textOf(await call(wire, "quick", { task: { ttl: 1 } })), "quick");
    assert.equal(textOf(await call(wire, "plain", { task: {} })), "plain");
  });

  test("in 2025-11-25 the extension's name brings no tasks (TASKX-18, EXT-10)", async () => {
    const { server, finish } = workshop();
    const wire = await Wire.greeted(server, "2025-11-25", { capabilities: requiredCapabilities });
    const slow = wire.ask("tools/call", { name: "slow" });
    await finish("slow");
    assert.equal(textOf(await slow), "slow is done");
  });

  test("only calls of tools become tasks (TASKX-05, TASKX-11)", async () => {
    const { server } = workshop();
    server.prompt("long", {}, async (_args, { detach }) => {
      await detach();
      return "words";
    });
    server.resource("x:1", {}, async (_args, { detach }) => {
      await detach();
      return "text";
    });
    const wire = Wire.to(server);
    const taskId = await begin(wire, "must");
    for (const [method, params] of [
      ["prompts/get", { name: "long" }],
      ["resources/read", { uri: "x:1" }],
      ["tools/list", {}],
      ["server/discover", {}],
      ["tasks/get", { taskId }],
      ["tasks/update", { taskId, inputResponses: {} }],
      ["tasks/cancel", { taskId }],
    ] as const)
      assert.equal(resultOf(await wire.ask(method, following(params)))["resultType"], "complete", method);
  });
});

describe("tasks/get (2026-07-28)", () => {
  test("shows each status with what belongs to it (TASKX-19, TASKX-20, TASKX-21)", async () => {
    const { server } = workshop();
    const wire = Wire.to(server);
    const facts = { resultType: "complete", ttlMs: 3_600_000, pollIntervalMs: 10 };

    const slow = await begin(wire, "slow");
    assert.deepEqual(bare(await get(wire, slow)), { ...facts, status: "working" });

    await wire.ask("tasks/cancel", following({ taskId: slow }));
    const cancelled = bare(await get(wire, slow));
    assert.deepEqual(cancelled, { ...facts, status: "cancelled", statusMessage: "The client cancelled the task" });

    const must = await reaches(wire, await begin(wire, "must"), "completed");
    assert.deepEqual(bare(must), {
      ...facts,
      status: "completed",
      result: { content: [{ type: "text", text: "done" }] },
    });

    const question = { message: "Which paper?", requestedSchema: { type: "object", properties: {}, required: [] } };
    const asks = bare(await reaches(wire, await begin(wire, "asks"), "input_required"));
    const { inputRequests, ...rest } = asks as { inputRequests: { [key: string]: { params: { message: string } } } };
    assert.deepEqual(rest, { ...facts, status: "input_required" });
    assert.deepEqual(Object.keys(inputRequests), ["paper", "ink"]);
    assert.equal(inputRequests["paper"]?.params.message, question.message);
  });

  test("a tool that fails has done its work; an error is the task's (TASKX-41, TASKX-42)", async () => {
    const wire = Wire.to(workshop().server);
    const failing = await reaches(wire, await begin(wire, "fails"), "completed");
    assert.equal((failing["result"] as Fields)["isError"], true);
    assert.equal("error" in failing, false);
    const breaking = await reaches(wire, await begin(wire, "breaks"), "failed");
    assert.deepEqual(breaking["error"], { code: 1001, message: "the printer is on fire", data: { floor: 3 } });
    assert.equal(breaking["statusMessage"], "the printer is on fire");
    assert.equal("result" in breaking, false);
  });

  test("knows no task after its time, and no other (TASKX-25, TASKX-36, TASKX-37)", async () => {
    const { server, aborted } = workshop({ tasks: { ttl: 40 } });
    const wire = Wire.to(server);
    const taskId = await begin(wire, "slow");
    await until(() => aborted.length > 0);
    for (const id of [taskId, "nothing", 5])
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const { error } = await wire.ask(method, following({ taskId: id, inputResponses: {} }));
        assert.equal(error?.code, -32602, `${method} ${id}`);
      }
  });

  test("an id is all that it takes where nobody is authenticated: random in each of its bits, for a bounded time (SEC-12)", async () => {
    const { server } = workshop();
    const wire = Wire.to(server);
    const ids: string[] = [];
    for (let n = 0; n < 256; n++) ids.push(await begin(wire, "slow"));
    assertRandom(ids);
    assert.ok(Number((await get(wire, ids[0] ?? ""))["ttlMs"]) <= 3_600_000);
    wire.close();
  });

  test("a fault of the server's own is -32603 (TASKX-54)", async () => {
    const { server } = workshop();
    server.use((context, next) => {
      if (context.method.startsWith("tasks/")) throw new Error("the store is gone");
      return next();
    });
    const wire = Wire.to(server);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      assert.equal((await wire.ask(method, following({ taskId: "x" }))).error?.code, -32603);
  });

  test("what 2025-11-25 had besides is gone (TASKX-39, TASKX-40)", async () => {
    const wire = Wire.to(workshop().server);
    for (const method of ["tasks/result", "tasks/list"])
      assert.equal((await wire.ask(method, following({ taskId: "x" }))).error?.code, -32601);
  });

  test("is refused to who doesn't declare the extension, before any id is looked at (TASKX-38, K05)", async () => {
    const wire = Wire.to(workshop().server);
    const taskId = await begin(wire, "slow");
    for (const id of [taskId, "nothing"])
      for (const [method, params] of [
        ["tasks/get", { taskId: id }],
        ["tasks/update", { taskId: id, inputResponses: {} }],
        ["tasks/cancel", { taskId: id }],
        ["subscriptions/listen", { notifications: { taskIds: [id] } }],
      ] as const) {
        const { error } = await wire.ask(method, stateless(params));
        assert.deepEqual([error?.code, error?.data], [-32021, { requiredCapabilities }], method);
      }
    assert.equal((await get(wire, taskId))["status"], "working");
    const without = Wire.to(echoServer());
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"])
      assert.equal((await without.ask(method, following({ taskId }))).error?.code, -32601, method);
  });

  test("finds it from anywhere where nobody is authenticated, and only for its owner elsewhere (TASKX-48, TASKX-49, BASE-60)", async () => {
    const { server } = workshop();
    const open = await begin(Wire.to(server), "slow");
    assert.match(open, RANDOM);
    assert.equal((await get(Wire.to(server), open))["status"], "working");
    const hers = Wire.to(server, "alice");
    const his = Wire.to(server, "bob");
    const taskId = await begin(hers, "slow");
    for (const stranger of [his, Wire.to(server)])
      for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
        const { error } = await stranger.ask(method, following({ taskId, inputResponses: {} }));
        assert.equal(error?.code, -32602, method);
      }
    assert.equal((await get(Wire.to(server, "alice"), taskId))["status"], "working");
  });
});

describe("tasks/update (2026-07-28)", () => {
  test("brings answers, some or all; the acknowledgement is empty (TASKX-30, TASKX-31, TASKX-32)", async () => {
    const wire = Wire.to(workshop().server);
    const taskId = await begin(wire, "asks");
    await reaches(wire, taskId, "input_required");
    const update = async (inputResponses: object): Promise<string[]> => {
      const { _meta, ...rest } = resultOf(await wire.ask("tasks/update", following({ taskId, inputResponses })));
      assert.deepEqual(rest, { resultType: "complete" });
      return Object.keys((await get(wire, taskId))["inputRequests"] ?? {});
    };
    assert.deepEqual(await update({ stray: colour("black") }), ["paper", "ink"]);
    assert.deepEqual(await update({ paper: { action: "perhaps" } }), ["paper", "ink"]);
    assert.deepEqual(await update({ paper: colour("green"), stray: 1 }), ["ink"]);
    assert.deepEqual(await update({ paper: colour("black") }), ["ink"]);
    await update({ ink: colour("white") });
    const { result } = (await reaches(wire, taskId, "completed")) as { result: Fields };
    assert.deepEqual(result["content"], [{ type: "text", text: "green on white" }]);
    await update({ paper: colour("black") });
    assert.deepEqual((await get(wire, taskId))["result"], result);
  });

  test("without answers is -32602", async () => {
    const wire = Wire.to(workshop().server);
    const taskId = await begin(wire, "slow");
    for (const inputResponses of [undefined, null, "no"])
      assert.equal((await wire.ask("tasks/update", following({ taskId, inputResponses }))).error?.code, -32602);
  });

  test("no key is used for two questions (TASKX-29)", async () => {
    const server = new McpServer({ name: "curious", version: "1.0.0" });
    const schema = { type: "object", properties: { n: { type: "number" } } } as const;
    server.tool("count", { task: "required" }, async (_args, { detach, elicit }) => {
      await detach();
      let sum = 0;
      for (const key of ["a", "b", "a"]) sum += Number((await elicit(key, { message: key, schema })).content?.["n"]);
      return `${sum}`;
    });
    const wire = Wire.to(server);
    const taskId = await begin(wire, "count");
    const seen: string[] = [];
    for (const [key, n] of [
      ["a", 1],
      ["b", 10],
    ] as const) {
      const { inputRequests } = await reaches(wire, taskId, "input_required");
      seen.push(...Object.keys(inputRequests as object));
      const inputResponses = { [key]: { action: "accept", content: { n } } };
      await wire.ask("tasks/update", following({ taskId, inputResponses }));
    }
    const { result } = await reaches(wire, taskId, "completed");
    assert.deepEqual(seen, ["a", "b"]);
    assert.deepEqual((result as Fields)["content"], [{ type: "text", text: "12" }]);
  });

  test("what the client can't answer is not asked (STATE-07, STATE-08)", async () => {
    const wire = Wire.to(workshop().server);
    const { taskId } = resultOf(await wire.ask("tools/call", following({ name: "asks" }, {})));
    const { error } = await reaches(wire, taskId as string, "failed");
    assert.equal((error as Fields)["code"], -32021);
  });

  test("questions before the task are asked in rounds, and the task begins after them (TASKX-15)", async () => {
    const server = new McpServer({ name: "first", version: "1.0.0" });
    const schema = z.object({ name: z.string() });
    let finished!: () => void;
    server.tool("greet", { task: "optional" }, async (_args, { detach, elicit }) => {
      const { content } = await elicit("name", { message: "Who?", schema });
      await detach();
      await new Promise<void>((resolve) => (finished = resolve));
      return `Hello ${content?.name}`;
    });
    server.tool("hasty", { task: "optional" }, async (_args, { detach, elicit }) => {
      const asking = elicit("name", { message: "Who?", schema }).catch((error: unknown) => error);
      await detach();
      const answer = await asking;
      if (answer instanceof Error) throw answer;
      return "asked";
    });
    const wire = Wire.to(server);
    const first = resultOf(await call(wire, "greet"));
    assert.equal(first["resultType"], "input_required");
    const { requestState } = first;
    const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };
    const taskId = await begin(wire, "greet", { inputResponses, requestState });
    finished();
    const { result } = await reaches(wire, taskId, "completed");
    assert.deepEqual((result as Fields)["content"], [{ type: "text", text: "Hello Ada" }]);
    assert.equal(resultOf(await call(wire, "hasty"))["resultType"], "input_required");
  });
});

describe("tasks/cancel (2026-07-28)", () => {
  test("is a wish: acknowledged by an empty result, also of a task that has ended (TASKX-33, BASE-26)", async () => {
    const { server, aborted } = workshop();
    const wire = Wire.to(server);
    const cancel = async (taskId: string): Promise<Fields> => {
      const { _meta, ...rest } = resultOf(await wire.ask("tasks/cancel", following({ taskId })));
      return rest;
    };
    const taskId = await begin(wire, "slow");
    assert.deepEqual(await cancel(taskId), { resultType: "complete" });
    assert.deepEqual(aborted, ["slow"]);
    const must = await begin(wire, "must");
    await reaches(wire, must, "completed");
    assert.deepEqual(await cancel(must), { resultType: "complete" });
    assert.equal((await get(wire, must))["status"], "completed");
  });

  test("work goes on when the client hangs up", async () => {
    const { server, finish } = workshop();
    const gone = Wire.to(server);
    const taskId = await begin(gone, "slow");
    gone.close();
    await finish("slow");
    await reaches(Wire.to(server), taskId, "completed");
  });

  test("a server with both kinds lets each client follow its own (TASKX-43)", async () => {
    const { server, finish } = workshop();
    const older = await Wire.greeted(server);
    const { task } = resultOf(await older.ask("tools/call", { name: "slow", arguments: {}, task: {} })) as {
      task: { taskId: string };
    };
    const newer = Wire.to(server);
    const taskId = await begin(newer, "reports");
    assert.equal(resultOf(await older.ask("tasks/get", { taskId: task.taskId }))["status"], "working");
    assert.equal(resultOf(await older.ask("tasks/cancel", { taskId: task.taskId }))["status"], "cancelled");
    await finish("reports");
    await reaches(newer, taskId, "completed");
  });
});

describe("a subscription to tasks (2026-07-28)", () => {
  test("hears of each change of those it may see, whole, and of nothing else (TASKX-44, TASKX-45, TASKX-46, SUBS-18)", async () => {
    const { server, finish } = workshop();
    const wire = Wire.to(server, "alice");
    const foreign = await begin(Wire.to(server, "bob"), "slow");
    const token = { "io.modelcontextprotocol/logLevel": "debug", progressToken: "token" };
    const declared = { [CAPABILITIES]: { ...requiredCapabilities, elicitation: {} } };
    const reports = resultOf(await wire.ask("tools/call", stateless({ name: "reports" }, { ...declared, ...token })));
    const taskIds = [reports["taskId"] as string, foreign, "nothing"];
    void wire.ask("subscriptions/listen", following({ notifications: { taskIds } }), "listen");
    await until(() => wire.heard("notifications/subscriptions/acknowledged").length > 0);
    const [acknowledged] = wire.heard("notifications/subscriptions/acknowledged") as Fields[];
    assert.deepEqual(acknowledged?.["notifications"], { taskIds: [reports["taskId"]] });

    const progress = wire.heard("notifications/progress").length;
    await finish("reports");
    await finish("slow");
    await until(() => wire.heard("notifications/tasks").length > 0);
    await settle();
    const [told, ...more] = wire.heard("notifications/tasks") as Fields[];
    assert.deepEqual(more, []);
    assert.ok(told);
    assert.equal(told["taskId"], reports["taskId"]);
    assert.equal(told["status"], "completed");
    assert.deepEqual(told["result"], { content: [{ type: "text", text: "reported" }] });
    assert.deepEqual(told["_meta"], { "io.modelcontextprotocol/subscriptionId": "listen" });
    assert.equal(wire.heard("notifications/progress").length, progress);
    assert.deepEqual(wire.heard("notifications/message"), []);
  });

  test("tells of questions, and of nothing after it has ended", async () => {
    const wire = Wire.to(workshop().server);
    const taskId = await begin(wire, "must");
    await reaches(wire, taskId, "completed");
    const asks = await begin(wire, "asks");
    void wire.ask("subscriptions/listen", following({ notifications: { taskIds: [asks] } }), "listen");
    await until(() => wire.heard("notifications/subscriptions/acknowledged").length > 0);
    await reaches(wire, asks, "input_required");
    const answer = { action: "accept", content: { colour: "red" } };
    await wire.ask("tasks/update", following({ taskId: asks, inputResponses: { paper: answer } }));
    wire.notify("notifications/cancelled", { requestId: "listen" });
    await settle();
    const heard = wire.heard("notifications/tasks").length;
    await wire.ask("tasks/update", following({ taskId: asks, inputResponses: { ink: answer } }));
    await reaches(wire, asks, "completed");
    assert.equal(wire.heard("notifications/tasks").length, heard);
  });
});

test("names that belong to the extension are nobody's own (TASKX-51)", () => {
  const server = new McpServer({ name: "bold", version: "1.0.0" });
  for (const name of ["tasks/get", "tasks/result", "tasks/anything"])
    assert.throws(() => server.method(name, () => ({})), { name: "TypeError", message: /is a method of the protocol/ });
});
