// A client whose calls go on as tasks: with a real server, and with scripted ones that do what ours doesn't.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import type { DetailedTask } from "@x/mcp";
import { both, joined, scripted, settle, until } from "../joined.ts";
import { workshop } from "./workshop.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const RELATED = "io.modelcontextprotocol/related-task";

const text = (words: string): object => ({ content: [{ type: "text", text: words }] });
const colour = { action: "accept", content: { colour: "red" } } as const;

for (const version of both)
  describe(`a client follows tasks (${version})`, () => {
    /** Asks for tasks in the way of either revision. */
    const asked = { task: true } as const;
    const options = { tasks: true, elicit: () => colour };

    test("callTool gives what the plain call would have given (TASKX-04, TASKX-08, TASKD-08)", async () => {
      const { server, finish } = workshop();
      const client = await joined(server, version, options);
      const seen: DetailedTask[] = [];
      const slow = client.callTool("slow", {}, { ...asked, onTask: (task) => seen.push(task) });
      await finish("slow");
      assert.deepEqual((await slow).content, [{ type: "text", text: "slow is done" }]);
      assert.equal(seen[0]?.status, "working");
      assert.equal(seen.at(-1)?.status, "completed");
      assert.equal(new Set(seen.map(({ taskId }) => taskId)).size, 1);
      assert.deepEqual((await client.callTool("plain", {}, asked)).content, [{ type: "text", text: "plain" }]);
    });

    test("its questions reach whoever answers them otherwise, each once (TASKX-26, TASKX-27, TASKX-28, TASKD-29)", async () => {
      const { server } = workshop();
      const messages: string[] = [];
      const elicit = async ({ message }: { readonly message: string }): Promise<typeof colour> => {
        messages.push(message);
        await settle();
        return colour;
      };
      const client = await joined(server, version, { ...options, elicit });
      const result = await client.callTool("asks", {}, asked);
      assert.deepEqual(result.content, [{ type: "text", text: "red on red" }]);
      assert.deepEqual(messages.toSorted(), ["Which ink?", "Which paper?"]);
    });

    test("failures are results, errors reject with code and data", async () => {
      const client = await joined(workshop().server, version, options);
      const failure = await client.callTool("fails", {}, asked);
      assert.deepEqual([failure.isError, failure.content], [true, [{ type: "text", text: "out of paper" }]]);
      await assert.rejects(client.callTool("breaks", {}, asked), {
        name: "RpcError",
        code: 1001,
        message: "the printer is on fire",
        data: { floor: 3 },
      });
    });

    test("giving up cancels the task, and is an AbortError (TASKX-34, TASKX-35, CANC-04)", async () => {
      const { server, aborted } = workshop();
      const client = await joined(server, version, options);
      const stop = new AbortController();
      const seen: DetailedTask[] = [];
      const slow = client.callTool("slow", {}, { ...asked, signal: stop.signal, onTask: (task) => seen.push(task) });
      await until(() => seen.length > 1);
      stop.abort(new Error("enough"));
      await assert.rejects(slow, (error: Error) => {
        assert.equal(String(error), 'AbortError: "tools/call" was aborted');
        assert.equal(String(error.cause), "Error: enough");
        return true;
      });
      await until(() => aborted.includes("slow"));
      const { length } = seen;
      await settle();
      assert.equal(seen.length, length);
    });

    test("maxTotalTimeout holds for the whole (TIME-05)", async () => {
      const { server, aborted } = workshop();
      const client = await joined(server, version, options);
      // What tasks need is loaded then, so that 60 ms are enough for the call to begin.
      await client.callTool("quick", {}, asked);
      await assert.rejects(client.callTool("slow", {}, { ...asked, maxTotalTimeout: 60 }), {
        name: "TimeoutError",
        message: 'No answer to "tools/call" within 60 ms',
      });
      await until(() => aborted.includes("slow"));
    });

    test("a task can be met again by its id, on a later connection too where the server allows it (TASKX-22)", async () => {
      const { server, finish } = workshop();
      const client = await joined(server, version, options);
      const ids: string[] = [];
      const first = client.callTool("slow", {}, { ...asked, onTask: ({ taskId }) => ids.push(taskId) });
      await until(() => ids.length > 0);
      const task = client.task(ids[0] ?? "");
      assert.equal((await task.get()).status, "working");
      const again = task.result();
      await finish("slow");
      assert.deepEqual((await again).content, (await first).content);
      if (version === "2025-11-25") return;
      const later = await joined(server, version, options);
      assert.deepEqual((await later.task(task.id).result()).content, (await first).content);
    });

    test("a task that somebody else has cancelled rejects and says so", async () => {
      const { server } = workshop();
      const client = await joined(server, version, options);
      const onTask = ({ taskId, status }: DetailedTask): unknown =>
        status === "working" && client.task(taskId).cancel();
      const call = client.callTool("slow", {}, { ...asked, onTask });
      await assert.rejects(call, { message: "The task was cancelled: The client cancelled the task" });
    });

    test("a listener that throws harms nothing (B07)", async () => {
      const faults: unknown[] = [];
      const fault = new Error("listener");
      const client = await joined(workshop().server, version, { ...options, onError: (error) => faults.push(error) });
      const onTask = (): never => {
        throw fault;
      };
      assert.deepEqual((await client.callTool("must", {}, { onTask })).content, [{ type: "text", text: "done" }]);
      assert.equal(faults[0], fault);
    });

    test("a listener of progress that rejects harms nothing (B07)", async () => {
      const faults: unknown[] = [];
      const { server } = workshop();
      server.tool("walk", { task: "required" }, async (_args, { detach, progress }) => {
        progress(1);
        await detach();
        await settle();
        progress(2);
        await settle();
        return "there";
      });
      const client = await joined(server, version, { ...options, onError: (error) => faults.push(error) });
      const fault = new Error("listener");
      const onProgress = (): Promise<never> => Promise.reject(fault);
      assert.deepEqual((await client.callTool("walk", {}, { onProgress })).content, [{ type: "text", text: "there" }]);
      assert.deepEqual(new Set(faults), new Set([fault]));
    });

    test("the structured content of a task is checked like that of any call (TOOL-41)", async () => {
      const { server } = workshop();
      const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
      server.tool("count", { task: "required", output }, async (_args, { detach }) => {
        await detach();
        return { n: 3 };
      });
      const client = await joined(server, version, options);
      assert.deepEqual((await client.callTool("count")).structuredContent, { n: 3 });
    });
  });

const declaring = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const oldTask = { taskId: "t", status: "working", createdAt: "", lastUpdatedAt: "", ttl: null, pollInterval: 5 };
const listing = (support?: string): object => ({
  tools: [{ name: "work", inputSchema: { type: "object" }, ...(support && { execution: { taskSupport: support } }) }],
});

describe("a client asks for tasks (2025-11-25)", () => {
  for (const [why, capabilities, support, task, sent] of [
    ["the tool must be one", declaring, "required", undefined, {}],
    ["it may be one and is to be", declaring, "optional", { ttl: 5000 }, { ttl: 5000 }],
    ["it may be one and is to be", declaring, "optional", true, {}],
    ["it may be one, but nobody wants it", declaring, "optional", undefined, undefined],
    ["it can't be one", declaring, "forbidden", true, undefined],
    ["nothing says that it can be one", declaring, undefined, true, undefined],
    ["the server has no tasks", { tools: {} }, "required", true, undefined],
    [
      "the server has tasks, but not of tools",
      { tools: {}, tasks: { list: {}, requests: {} } },
      "required",
      true,
      undefined,
    ],
  ] as const)
    test(`${sent ? "a task" : "a plain call"}, since ${why} (TASKD-03, TASKD-04, TASKD-05, TASKD-06, TASKD-09)`, async () => {
      const { client, asked } = await scripted("2025-11-25", capabilities, {
        "tools/list": () => listing(support),
        "tools/call": ({ task: wanted }) => (wanted ? { task: oldTask } : text("plain")),
        "tasks/get": () => ({ ...oldTask, status: "completed" }),
        "tasks/result": () => text("as a task"),
      });
      const { content } = await client.callTool("work", {}, { task });
      assert.deepEqual(content, text(sent ? "as a task" : "plain")["content" as never]);
      const call = asked.find(({ method }) => method === "tools/call");
      assert.deepEqual(call?.params["task"], sent);
    });

  test("the list that says whether to is waited for no longer than the answer", async () => {
    const { client } = await scripted("2025-11-25", declaring, { "tools/list": () => new Promise(() => {}) });
    await assert.rejects(client.callTool("work", {}, { timeout: 20 }), { name: "TimeoutError", timeout: 20 });
    await client.close();
  });

  test("a server that ignores it is taken at its word (TASKD-11)", async () => {
    const { client } = await scripted("2025-11-25", declaring, {
      "tools/list": () => listing("optional"),
      "tools/call": () => text("at once"),
    });
    assert.deepEqual(await client.callTool("work", {}, { task: true }), text("at once"));
  });

  test("it polls no faster than it is told, needs no notification, and shows no state of its own in the protocol (TASKD-25, TASKD-35, TASKD-37, TASKD-38)", async () => {
    const polls: number[] = [];
    const { client, asked, peer } = await scripted("2025-11-25", declaring, {
      "tools/list": () => listing("required"),
      "tools/call": () => ({ task: { ...oldTask, pollInterval: 60 } }),
      "tasks/get": () => {
        polls.push(performance.now());
        return { ...oldTask, status: polls.length < 3 ? "working" : "completed", pollInterval: 60 };
      },
      "tasks/result": () => text("done"),
    });
    const start = performance.now();
    const done = client.callTool("work");
    await until(() => asked.some(({ method }) => method === "tools/call"));
    await peer.notify("notifications/tasks/status", { ...oldTask, status: "completed" });
    assert.deepEqual(await done, text("done"));
    for (const [index, at] of polls.entries())
      assert.ok(at - (polls[index - 1] ?? start) >= 59, `${at - (polls[index - 1] ?? start)} ms`);
    for (const { method, params } of asked) if (method.startsWith("tasks/")) assert.deepEqual(params, { taskId: "t" });
  });

  test("on input_required it asks for the result at once, answers there, and marks its answers (TASKD-29, TASKD-33)", async () => {
    const answers: unknown[] = [];
    const { client, peer } = await scripted(
      "2025-11-25",
      declaring,
      {
        "tools/list": () => listing("required"),
        "tools/call": () => ({ task: { ...oldTask, status: "input_required" } }),
        "tasks/result": async () => {
          const params = { message: "?", requestedSchema: { type: "object", properties: {} } };
          for (const _meta of [{ [RELATED]: { taskId: "t" } }, {}])
            answers.push(await peer.request("elicitation/create", { ...params, _meta }));
          return text("answered");
        },
      },
      { elicit: () => ({ action: "decline" }) },
    );
    assert.deepEqual(await client.callTool("work"), text("answered"));
    assert.deepEqual(answers, [{ action: "decline", _meta: { [RELATED]: { taskId: "t" } } }, { action: "decline" }]);
  });

  test("progress comes with the call's token until the end (PROG-13)", async () => {
    const heard: unknown[] = [];
    let token: unknown;
    const { client, peer } = await scripted("2025-11-25", declaring, {
      "tools/list": () => listing("required"),
      "tools/call": async ({ _meta }) => {
        token = (_meta as { progressToken: unknown }).progressToken;
        await peer.notify("notifications/progress", { progressToken: token, progress: 1 });
        return { task: oldTask };
      },
      "tasks/get": async () => {
        await peer.notify("notifications/progress", { progressToken: token, progress: 2 });
        return { ...oldTask, status: "completed" };
      },
      "tasks/result": () => text("done"),
    });
    await client.callTool("work", {}, { onProgress: ({ progress }) => heard.push(progress) });
    await peer.notify("notifications/progress", { progressToken: token, progress: 3 });
    await settle();
    assert.deepEqual(heard, [1, 2]);
  });

  test("given up before the task is named, it is cancelled when it is, and never by notification (CANC-04, TASKD-43)", async () => {
    for (const give of ["signal", "timeout"]) {
      let answer!: () => void;
      const named = new Promise<void>((resolve) => (answer = resolve));
      const notified: unknown[] = [];
      const { client, asked } = await scripted("2025-11-25", declaring, {
        "tools/list": () => listing("required"),
        "tools/call": async () => {
          await named;
          return { task: oldTask };
        },
        "tasks/cancel": () => ({ ...oldTask, status: "cancelled" }),
        "notifications/cancelled": (params) => notified.push(params),
      });
      const stop = new AbortController();
      const call = client.callTool("work", {}, { signal: stop.signal, timeout: give === "timeout" ? 30 : undefined });
      await until(() => asked.some(({ method }) => method === "tools/call"));
      if (give === "signal") stop.abort();
      await assert.rejects(call, { name: give === "signal" ? "AbortError" : "TimeoutError" });
      answer();
      await until(() => asked.some(({ method }) => method === "tasks/cancel"));
      assert.deepEqual(notified, []);
    }
  });

  test("what it is asked to do as a task it does plainly, since it declares none (TASKD-11, TASKD-01)", async () => {
    const { client, peer } = await scripted("2025-11-25", { tools: {} }, {}, { roots: [] });
    assert.deepEqual(await peer.request("roots/list", { task: {} }), { roots: [] });
    await assert.rejects(peer.request("tasks/get", { taskId: "x" }), { code: -32601 });
    await client.close();
  });

  test("a client that was given no task has none to meet", async () => {
    const { client } = await scripted("2025-11-25", { tools: {} }, {});
    assert.throws(() => client.task("x"), {
      name: "CapabilityError",
      message: '"tasks/get" was not sent: the server does not declare the capability "tasks.requests.tools.call"',
    });
    const older = await scripted("2025-06-18", declaring, {});
    assert.throws(() => older.client.task("x"), { name: "CapabilityError" });
  });
});

const offering = { tools: {}, prompts: {}, extensions: { [TASKS]: {} } };
const newTask = { taskId: "t", status: "working", createdAt: "", lastUpdatedAt: "", ttlMs: null, pollIntervalMs: 5 };

describe("a client lets calls become tasks (2026-07-28)", () => {
  test("it declares the extension with each request, and only if told to (TASKX-01, EXT-01, EXT-07)", async () => {
    for (const tasks of [true, undefined]) {
      const capabilities = { extensions: { "com.example/x": { a: 1 } } };
      const { client, asked } = await scripted(
        "2026-07-28",
        offering,
        { "tools/call": () => text("") },
        { tasks, capabilities },
      );
      await client.callTool("work");
      const meta = asked[0]?.params["_meta"] as { [key: string]: { extensions?: object } };
      assert.deepEqual(meta["io.modelcontextprotocol/clientCapabilities"]?.extensions, {
        "com.example/x": { a: 1 },
        ...(tasks && { [TASKS]: {} }),
      });
    }
  });

  test('"task" is no result where it was not declared, nor of anything but a tool (TASKX-03, TASKX-06, BASE-23, BASE-24, BASE-25)', async () => {
    const answers = {
      "tools/call": () => ({ ...newTask, resultType: "task" }),
      "prompts/get": () => ({ ...newTask, resultType: "task" }),
    };
    const message = 'The server answered with resultType "task", which this client does not know';
    const undeclared = await scripted("2026-07-28", offering, answers);
    await assert.rejects(undeclared.client.callTool("work"), { message });
    const declared = await scripted("2026-07-28", offering, answers, { tasks: true });
    await assert.rejects(declared.client.getPrompt("p"), { message });
    const weird = { "tools/call": () => ({ content: [], resultType: "weird" }) };
    const strange = await scripted("2026-07-28", offering, weird, { tasks: true });
    await assert.rejects(strange.client.callTool("work"), { message: message.replace("task", "weird") });
  });

  test("it polls no faster than it is told, and takes a changed interval (TASKX-22)", async () => {
    const polls: number[] = [];
    const { client } = await scripted(
      "2026-07-28",
      offering,
      {
        "tools/call": () => ({ ...newTask, resultType: "task", pollIntervalMs: 60 }),
        "tasks/get": () => {
          polls.push(performance.now());
          return polls.length < 2
            ? { ...newTask, pollIntervalMs: 90 }
            : { ...newTask, status: "completed", result: text("done") };
        },
      },
      { tasks: true },
    );
    const start = performance.now();
    assert.deepEqual(await client.callTool("work"), text("done"));
    assert.equal(polls.length, 2);
    assert.ok((polls[0] ?? 0) - start >= 59);
    assert.ok((polls[1] ?? 0) - (polls[0] ?? 0) >= 89);
  });

  test("no question is answered twice, though it is shown again (TASKX-28, TASKX-52)", async () => {
    const question = {
      method: "elicitation/create",
      params: { message: "?", requestedSchema: { type: "object", properties: {} } },
    };
    const updates: unknown[] = [];
    let shown = 0;
    let prompts = 0;
    const { client } = await scripted(
      "2026-07-28",
      offering,
      {
        "tools/call": () => ({ ...newTask, resultType: "task" }),
        "tasks/update": ({ inputResponses }) => updates.push(inputResponses) && {},
        "tasks/get": () => {
          shown++;
          if (shown > 3) return { ...newTask, status: "completed", result: text("done") };
          return {
            ...newTask,
            status: "input_required",
            inputRequests: { a: question, ...(shown > 1 && { b: question }) },
          };
        },
      },
      { tasks: true, elicit: () => ({ action: prompts++ === 0 ? "decline" : "cancel" }) },
    );
    assert.deepEqual(await client.callTool("work"), text("done"));
    assert.deepEqual(updates, [{ a: { action: "decline" } }, { b: { action: "cancel" } }]);
    assert.equal(prompts, 2);
  });

  test("what it can't answer ends the call, and the task", async () => {
    const { client, asked } = await scripted(
      "2026-07-28",
      offering,
      {
        "tools/call": () => ({ ...newTask, resultType: "task" }),
        "tasks/get": () => ({ ...newTask, status: "input_required", inputRequests: { a: { method: "roots/list" } } }),
        "tasks/cancel": () => ({}),
      },
      { tasks: true },
    );
    await assert.rejects(client.callTool("work"), { code: -32601 });
    await settle();
    assert.deepEqual(asked.map(({ method }) => method).slice(-2), ["tasks/get", "tasks/cancel"]);
  });

  test("giving up doesn't wait for a person who is asked (TIME-05)", async () => {
    let dialog: AbortSignal | undefined;
    const question = {
      method: "elicitation/create",
      params: { message: "?", requestedSchema: { type: "object", properties: {} } },
    };
    const { client, asked } = await scripted(
      "2026-07-28",
      offering,
      {
        "tools/call": () => ({ ...newTask, resultType: "task" }),
        "tasks/get": () => ({ ...newTask, status: "input_required", inputRequests: { a: question } }),
        "tasks/cancel": () => ({}),
      },
      {
        tasks: true,
        elicit: (_question, { signal }) => {
          dialog = signal;
          return new Promise(() => {});
        },
      },
    );
    const stop = new AbortController();
    const call = client.callTool("work", {}, { signal: stop.signal });
    await until(() => dialog);
    stop.abort();
    await assert.rejects(call, { name: "AbortError" });
    assert.equal(dialog?.aborted, true);
    await until(() => asked.at(-1)?.method === "tasks/cancel");
  });

  for (const status of ["completed", "failed"])
    test(`a task that is ${status} without an outcome ends the call`, async () => {
      const { client } = await scripted(
        "2026-07-28",
        offering,
        { "tools/call": () => ({ ...newTask, resultType: "task" }), "tasks/get": () => ({ ...newTask, status }) },
        { tasks: true },
      );
      await assert.rejects(client.callTool("work"), /shows neither a result nor an error/);
    });

  test("an error of tasks/get is the call's (TASKX-36)", async () => {
    const { client } = await scripted(
      "2026-07-28",
      offering,
      {
        "tools/call": () => ({ ...newTask, resultType: "task" }),
        "tasks/get": () => {
          throw new RpcError(-32602, "Unknown task");
        },
      },
      { tasks: true },
    );
    await assert.rejects(client.callTool("work"), { code: -32602, message: "Unknown task" });
  });

  test("a client that doesn't follow tasks, or whose server has none, has none to meet", async () => {
    const { client } = await scripted("2026-07-28", offering, {});
    assert.throws(() => client.task("x"), {
      name: "TypeError",
      message: "This client does not say that it can follow tasks: connect it with { tasks: true }",
    });
    const bare = await scripted("2026-07-28", { tools: {} }, {}, { tasks: true });
    assert.throws(() => bare.client.task("x"), {
      name: "CapabilityError",
      message: `"tasks/get" was not sent: the server does not declare the capability "extensions["${TASKS}"]"`,
    });
  });
});
