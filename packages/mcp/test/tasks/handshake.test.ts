// The tasks of 2025-11-25 as a client sees them on the wire.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { settle, until } from "../joined.ts";
import { type Answer, Wire, echoServer, hello, resultOf, textOf } from "../wire.ts";
import { RANDOM, TIME, workshop } from "./workshop.ts";

const RELATED = "io.modelcontextprotocol/related-task";

type Shown = { readonly [name: string]: unknown } & { readonly taskId: string; readonly status: string };

const taskOf = (answer: Answer): Shown => resultOf(answer)["task"] as Shown;
const call = (wire: Wire, name: string, args: object = {}, more: object = { task: {} }): Promise<Answer> =>
  wire.ask("tools/call", { name, arguments: args, ...more });
const get = async (wire: Wire, taskId: string): Promise<Shown> =>
  resultOf(await wire.ask("tasks/get", { taskId })) as unknown as Shown;
const begin = async (wire: Wire, name: string, args?: object, task: object = {}): Promise<Shown> =>
  taskOf(await call(wire, name, args, { task }));

describe("a server with tools that may become tasks (2025-11-25)", () => {
  test("declares what can be a task, in its capabilities and with each tool (TASKD-01, TASKD-02, TOOL-15)", async () => {
    const wire = Wire.to(workshop().server);
    const { capabilities } = resultOf(await wire.ask("initialize", hello)) as { capabilities: { tasks: object } };
    assert.deepEqual(capabilities.tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
    wire.notify("notifications/initialized");
    const { tools } = resultOf(await wire.ask("tools/list")) as { tools: { name: string; execution?: object }[] };
    const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution]));
    assert.deepEqual(support["plain"], undefined);
    assert.deepEqual(support["slow"], { taskSupport: "optional" });
    assert.deepEqual(support["must"], { taskSupport: "required" });
    for (const version of ["2025-06-18", "2024-11-05"]) {
      const older = Wire.to(workshop().server);
      const answer = resultOf(await older.ask("initialize", { ...hello, protocolVersion: version }));
      assert.equal(JSON.stringify(answer).includes("tasks"), false, version);
    }
  });

  test("answers at once with the task, whose shape is whole (TASKD-13, TASKD-14, TASKD-15, TASKD-17, TASKD-20, TASKD-24)", async () => {
    const { server, done } = workshop();
    const wire = await Wire.greeted(server);
    const answer = await call(wire, "slow");
    assert.deepEqual(done, []);
    assert.deepEqual(Object.keys(resultOf(answer)), ["task"]);
    const { taskId, createdAt, lastUpdatedAt, ...rest } = taskOf(answer);
    assert.equal(typeof taskId, "string");
    assert.match(String(createdAt), TIME);
    assert.match(String(lastUpdatedAt), TIME);
    assert.deepEqual(rest, { status: "working", ttl: 3_600_000, pollInterval: 10 });
  });

  test("makes ids that nobody can guess, each once (TASKD-16, TASKD-52)", async () => {
    const wire = await Wire.greeted(workshop().server);
    const ids = new Set<string>();
    for (let i = 0; i < 50; i++) ids.add((await begin(wire, "quick")).taskId);
    assert.equal(ids.size, 50);
    for (const id of ids) assert.match(id, RANDOM);
  });

  test("lets the client choose where the tool does: a task, or a plain call (TASKD-08)", async () => {
    const wire = await Wire.greeted(workshop().server);
    assert.equal((await begin(wire, "quick")).status, "working");
    assert.equal(textOf(await call(wire, "quick", {}, {})), "quick");
  });

  test("refuses a task of a tool that can't be one, and a plain call of one that must (TASKD-07, TASKD-10)", async () => {
    const wire = await Wire.greeted(workshop().server);
    const plain = await call(wire, "plain");
    assert.deepEqual(plain.error, { code: -32601, message: 'tool "plain" can\'t be called as a task' });
    const must = await call(wire, "must", {}, {});
    assert.deepEqual(must.error, { code: -32601, message: 'tool "must" can only be called as a task' });
  });

  test("ignores the wish for a task where it declares none (TASKD-11)", async () => {
    const wire = await Wire.greeted(echoServer());
    assert.equal(textOf(await call(wire, "echo", { text: "hi" })), "hi");
    const older = await Wire.greeted(workshop().server, "2025-06-18");
    assert.equal(textOf(await call(older, "quick")), "quick");
    assert.equal((await older.ask("tasks/get", { taskId: "x" })).error?.code, -32601);
  });

  test("keeps a task for as long as it is asked to, within its own limit, and says for how long (TASKD-21, TASKD-22)", async () => {
    const wire = await Wire.greeted(workshop({ tasks: { ttl: 60_000 } }).server);
    for (const [asked, granted] of [
      [1000, 1000],
      [600_000, 60_000],
      ["long", 60_000],
      [-1, 60_000],
    ]) {
      const { taskId, ttl } = await begin(wire, "quick", {}, { ttl: asked });
      assert.equal(ttl, granted, String(asked));
      assert.equal((await get(wire, taskId))["ttl"], granted);
    }
    const forEver = await Wire.greeted(workshop({ tasks: { ttl: Infinity } }).server);
    const { taskId } = await begin(forEver, "quick");
    assert.equal((await get(forEver, taskId))["ttl"], null);
  });

  test("forgets it after that, and stops what still runs (TASKD-23, TASKD-46)", async () => {
    const { server, aborted } = workshop();
    const wire = await Wire.greeted(server);
    const { taskId } = await begin(wire, "slow", {}, { ttl: 40 });
    await until(() => aborted.length > 0);
    assert.deepEqual((await wire.ask("tasks/get", { taskId })).error, {
      code: -32602,
      message: `Unknown task: ${JSON.stringify(taskId)}`,
    });
  });

  test("has a limit for tasks (TASKD-55)", async () => {
    const wire = await Wire.greeted(workshop({ tasks: { max: 2 } }).server);
    await begin(wire, "slow");
    await begin(wire, "slow");
    assert.equal((await call(wire, "slow")).error?.code, -32603);
  });
});

describe("tasks/result (2025-11-25)", () => {
  test("waits for the end and gives what the plain call would have given (TASKD-26, TASKD-27, TASKD-34)", async () => {
    const { server, finish } = workshop();
    const wire = await Wire.greeted(server);
    const { taskId } = await begin(wire, "slow");
    const waiting = wire.ask("tasks/result", { taskId });
    let settled = false;
    void waiting.then(() => (settled = true));
    await settle();
    assert.equal(settled, false);
    await finish("slow");
    const expected = { content: [{ type: "text", text: "slow is done" }], _meta: { [RELATED]: { taskId } } };
    assert.deepEqual(resultOf(await waiting), expected);
    assert.deepEqual(resultOf(await wire.ask("tasks/result", { taskId })), expected);
    assert.equal((await get(wire, taskId)).status, "completed");
  });

  test("a tool's failure and an error make the task failed, and are given as they were (TASKD-26, TASKD-30, TASKD-31)", async () => {
    const wire = await Wire.greeted(workshop().server);
    const failing = await begin(wire, "fails");
    const failure = resultOf(await wire.ask("tasks/result", { taskId: failing.taskId }));
    assert.equal(failure["isError"], true);
    assert.deepEqual(failure["content"], [{ type: "text", text: "out of paper" }]);
    const failed = await get(wire, failing.taskId);
    assert.deepEqual([failed.status, failed["statusMessage"]], ["failed", "out of paper"]);

    const breaking = await begin(wire, "breaks");
    const { error } = await wire.ask("tasks/result", { taskId: breaking.taskId });
    assert.deepEqual(error, { code: 1001, message: "the printer is on fire", data: { floor: 3 } });
    const broken = await get(wire, breaking.taskId);
    assert.deepEqual([broken.status, broken["statusMessage"]], ["failed", "the printer is on fire"]);
  });

  test("carries the task's questions, each marked with the task, and the task waits for them (TASKD-18, TASKD-28, TASKD-33, TASKD-35)", async () => {
    const wire = await Wire.greeted(workshop().server, "2025-11-25", { capabilities: { elicitation: {} } });
    const { taskId, status } = await begin(wire, "asks");
    const states = [status];
    const look = async (): Promise<unknown> => states.push((await get(wire, taskId)).status);
    await until(async () => (await get(wire, taskId)).status === "input_required");
    await look();
    const waiting = wire.ask("tasks/result", { taskId });
    const first = await wire.answer("elicitation/create", { action: "accept", content: { colour: "green" } });
    assert.deepEqual((first.params as { _meta: object })._meta, { [RELATED]: { taskId } });
    await look();
    const second = await wire.answer("elicitation/create", { action: "accept", content: { colour: "white" } });
    assert.deepEqual((second.params as { _meta: object })._meta, { [RELATED]: { taskId } });
    assert.match(textOf(await waiting), /^(green on white|white on green)$/);
    await look();
    assert.deepEqual(states, ["working", "input_required", "input_required", "completed"]);
    for (const message of wire.received)
      if ("result" in message && "status" in (message.result as object))
        assert.equal(JSON.stringify(message).includes(RELATED), false);
  });

  test("a question goes back to working once it is answered (TASKD-18, TASKD-28)", async () => {
    const server = new McpServer({ name: "shy", version: "1.0.0" });
    let end!: () => void;
    server.tool("ask", { task: "optional" }, async (_args, { listRoots }) => {
      await listRoots();
      await new Promise<void>((resolve) => (end = resolve));
      return "thanks";
    });
    const wire = await Wire.greeted(server, "2025-11-25", { capabilities: { roots: {} } });
    const { taskId } = await begin(wire, "ask");
    const waiting = wire.ask("tasks/result", { taskId });
    await wire.answer("roots/list", { roots: [] });
    await until(() => end);
    assert.equal((await get(wire, taskId)).status, "working");
    end();
    assert.equal(textOf(await waiting), "thanks");
  });

  test("a question that nobody answered is put again to who asks for the result next", async () => {
    const wire = await Wire.greeted(workshop().server, "2025-11-25", { capabilities: { elicitation: {} } });
    const { taskId } = await begin(wire, "asks");
    void wire.ask("tasks/result", { taskId }, "gives-up");
    await wire.asked("elicitation/create");
    await wire.asked("elicitation/create");
    wire.notify("notifications/cancelled", { requestId: "gives-up" });
    await until(() => wire.heard("notifications/cancelled").length === 2);
    const waiting = wire.ask("tasks/result", { taskId });
    for (const colour of ["red", "red"])
      await wire.answer("elicitation/create", { action: "accept", content: { colour } });
    assert.equal(textOf(await waiting), "red on red");
  });

  test("a question that can't be put, or is answered with nonsense, is the tool's to handle", async () => {
    const wire = await Wire.greeted(workshop().server, "2025-11-25", { capabilities: { elicitation: {} } });
    const { taskId } = await begin(wire, "asks");
    const waiting = wire.ask("tasks/result", { taskId });
    await wire.answer("elicitation/create", { action: "perhaps" });
    const result = resultOf(await waiting);
    assert.equal(result["isError"], true);
    assert.match(JSON.stringify(result), /is not a result of elicitation\/create/);
    const none = await Wire.greeted(workshop().server);
    const { taskId: other } = await begin(none, "asks");
    assert.match(JSON.stringify(await none.ask("tasks/result", { taskId: other })), /-32021|elicitation/);
  });
});

describe("what a client hears of a running task (2025-11-25)", () => {
  test("a question that failed may be put again", async () => {
    const server = new McpServer({ name: "persistent", version: "1.0.0" });
    const question = { message: "Who?", schema: z.object({ name: z.string() }) };
    server.tool("greet", { task: "optional" }, async (_args, { elicit }) => {
      const ask = () => elicit("who", question);
      const { content } = await ask().catch(ask).catch(ask);
      return `Hello ${content?.name}`;
    });
    const wire = await Wire.greeted(server, "2025-11-25", { capabilities: { elicitation: {} } });
    const { taskId } = await begin(wire, "greet");
    const result = wire.ask("tasks/result", { taskId });
    const { id } = await wire.asked("elicitation/create");
    wire.send({ jsonrpc: "2.0", id, error: { code: 1, message: "no screen" } });
    await wire.answer("elicitation/create", { action: "nonsense" });
    await wire.answer("elicitation/create", { action: "accept", content: { name: "Ada" } });
    assert.equal(textOf(await result), "Hello Ada");
  });

  test("progress with the token of the call, and log messages, until the end (PROG-13, PROG-14, TASKD-33)", async () => {
    const { server, finish } = workshop();
    const wire = await Wire.greeted(server);
    const { taskId } = taskOf(
      await wire.ask("tools/call", { name: "reports", task: {}, _meta: { progressToken: "token" } }),
    );
    await finish("reports");
    await wire.ask("tasks/result", { taskId });
    await settle();
    const _meta = { [RELATED]: { taskId } };
    assert.deepEqual(wire.heard("notifications/progress"), [
      { progressToken: "token", progress: 1, total: 3, message: "before", _meta },
      { progressToken: "token", progress: 2, total: 3, message: "within", _meta },
    ]);
    assert.deepEqual(wire.heard("notifications/message"), [{ level: "warning", data: "nearly there", _meta }]);
  });

  test("nothing after it was cancelled (PROG-14, CANC-20)", async () => {
    const { server, done } = workshop();
    server.tool("chatty", { task: "optional" }, async (_args, { progress, signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      progress(1);
      done.push("chatty");
    });
    const wire = await Wire.greeted(server);
    const { taskId } = taskOf(await wire.ask("tools/call", { name: "chatty", task: {}, _meta: { progressToken: 1 } }));
    await wire.ask("tasks/cancel", { taskId });
    await until(() => done.length > 0);
    await settle();
    assert.deepEqual(wire.heard("notifications/progress"), []);
  });
});

describe("tasks/cancel (2025-11-25)", () => {
  test("stops the work; the answer says cancelled already, and that stays (TASKD-43, TASKD-44)", async () => {
    const { server, aborted } = workshop();
    const wire = await Wire.greeted(server);
    const { taskId } = await begin(wire, "slow");
    const cancelled = resultOf(await wire.ask("tasks/cancel", { taskId }));
    assert.equal(cancelled["status"], "cancelled");
    assert.match(String(cancelled["statusMessage"]), /cancelled/);
    assert.deepEqual(aborted, ["slow"]);
    assert.equal((await get(wire, taskId)).status, "cancelled");
    assert.equal((await wire.ask("tasks/result", { taskId })).error?.code, -32602);
  });

  test("work that goes on all the same changes nothing any more (TASKD-19)", async () => {
    const { server, finish, done } = workshop();
    const wire = await Wire.greeted(server);
    const { taskId } = await begin(wire, "stubborn");
    await wire.ask("tasks/cancel", { taskId });
    const before = await get(wire, taskId);
    await finish("stubborn");
    await until(() => done.includes("stubborn"));
    await settle();
    assert.deepEqual(await get(wire, taskId), before);
  });

  test("of a task that has ended is -32602 (TASKD-42)", async () => {
    const wire = await Wire.greeted(workshop().server);
    for (const [name, status] of [
      ["quick", "completed"],
      ["fails", "failed"],
      ["slow", "cancelled"],
    ] as const) {
      const { taskId } = await begin(wire, name);
      await (status === "cancelled" ? wire.ask("tasks/cancel", { taskId }) : wire.ask("tasks/result", { taskId }));
      const { error } = await wire.ask("tasks/cancel", { taskId });
      assert.deepEqual(error, { code: -32602, message: `The task is ${status} already` });
    }
  });

  test("ends with the connection: nobody could ask for the result any more", async () => {
    const { server, aborted } = workshop();
    const wire = await Wire.greeted(server);
    await begin(wire, "slow");
    wire.close();
    await until(() => aborted.length > 0);
  });
});

describe("who may see a task (2025-11-25)", () => {
  test("tasks/list shows what tasks/get finds, page by page (TASKD-39, TASKD-40, TASKD-41)", async () => {
    const wire = await Wire.greeted(workshop().server);
    const made = [];
    for (let i = 0; i < 101; i++) made.push((await begin(wire, "quick")).taskId);
    const listed: string[] = [];
    const sizes: number[] = [];
    let cursor: unknown;
    do {
      const page = resultOf(await wire.ask("tasks/list", cursor === undefined ? {} : { cursor }));
      const tasks = page["tasks"] as Shown[];
      sizes.push(tasks.length);
      listed.push(...tasks.map(({ taskId }) => taskId));
      for (const task of tasks) assert.match(String(task["createdAt"]), TIME);
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [100, 1]);
    assert.deepEqual(listed, made);
    for (const taskId of listed.slice(0, 3)) assert.equal((await get(wire, taskId)).taskId, taskId);
  });

  test("an unknown id or cursor is -32602, and says so (TASKD-46)", async () => {
    const wire = await Wire.greeted(workshop().server);
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
      for (const taskId of ["nothing", 7, undefined])
        assert.equal((await wire.ask(method, { taskId })).error?.code, -32602, `${method} ${taskId}`);
    const { error } = await wire.ask("tasks/list", { cursor: "nowhere" });
    assert.deepEqual(error, { code: -32602, message: 'Unknown cursor "nowhere": start again without one' });
  });

  test("a fault of the server's own is -32603 (TASKD-46)", async () => {
    const { server } = workshop();
    server.use((context, next) => {
      if (context.method === "tasks/get") throw new Error("the store is gone");
      return next();
    });
    const wire = await Wire.greeted(server);
    assert.deepEqual((await wire.ask("tasks/get", { taskId: "x" })).error, { code: -32603, message: "Internal error" });
  });

  test("the id in the parameters counts, whatever _meta says (TASKD-36)", async () => {
    const wire = await Wire.greeted(workshop().server);
    const one = await begin(wire, "quick");
    const other = await begin(wire, "slow");
    const _meta = { [RELATED]: { taskId: other.taskId } };
    const { taskId } = one;
    assert.equal(resultOf(await wire.ask("tasks/get", { taskId, _meta }))["taskId"], taskId);
    assert.equal(textOf(await wire.ask("tasks/result", { taskId, _meta })), "quick");
    assert.equal((await wire.ask("tasks/cancel", { taskId, _meta })).error?.code, -32602);
    assert.equal((await get(wire, other.taskId)).status, "working");
  });

  for (const [who, alice, bob] of [
    ["another connection, where nobody is authenticated", undefined, undefined],
    ["another principal", "alice", "bob"],
  ] as const)
    test(`${who} sees nothing of it (TASKD-50, TASKD-51, TASKD-54)`, async () => {
      const { server } = workshop();
      const hers = await Wire.greeted(server, "2025-11-25", alice === undefined ? {} : { principal: alice });
      const his = await Wire.greeted(server, "2025-11-25", bob === undefined ? {} : { principal: bob });
      const { taskId } = await begin(hers, "slow");
      for (const method of ["tasks/get", "tasks/result", "tasks/cancel"])
        assert.equal((await his.ask(method, { taskId })).error?.code, -32602, method);
      assert.deepEqual(resultOf(await his.ask("tasks/list", {}))["tasks"], []);
      assert.equal((await get(hers, taskId)).status, "working");
    });

  test("the same principal finds it on its next connection (TASKD-50)", async () => {
    const { server, finish } = workshop();
    const { taskId } = await begin(await Wire.greeted(server, "2025-11-25", { principal: "alice" }), "slow");
    const later = await Wire.greeted(server, "2025-11-25", { principal: "alice" });
    const waiting = later.ask("tasks/result", { taskId });
    await finish("slow");
    assert.equal(textOf(await waiting), "slow is done");
  });
});
