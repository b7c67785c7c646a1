// What HTTP adds to questions, progress and tasks: which stream carries what, and what headers say.
import assert from "node:assert/strict";
import { type TestContext, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { revisions } from "@x/mcp";
import { connect } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { fetchHandler, http } from "@x/transport-http";

type Fields = { readonly [name: string]: unknown };

const META = "io.modelcontextprotocol/";
const info = { name: "test", version: "1.0.0" };
const URL_ = "http://localhost:3000/mcp";
const olderRevisions = revisions.filter(({ lifecycle }) => lifecycle === "handshake");

/** A server whose work goes on when the test says so. */
function working(): { readonly server: McpServer; readonly finish: () => void } {
  const server = new McpServer(info, { tasks: { pollInterval: 5 } });
  let finish: (() => void) | undefined;
  server.tool("work", { task: "optional" }, async (_args, { detach, listRoots, progress }) => {
    await detach();
    progress(1, 2);
    await new Promise<void>((resolve) => (finish = resolve));
    return `${(await listRoots()).length} roots`;
  });
  server.tool("ask", {}, async (_args, { listRoots, log, progress }) => {
    log.info("before the question");
    progress(1, 2);
    const roots = await listRoots();
    log.info("after it");
    return `${roots.length} roots`;
  });
  return { server, finish: () => finish?.() };
}

/** Sends one request, as a stateless client does. */
function sender(
  t: TestContext,
  server: McpServer,
): (method: string, params: Fields, headers?: Fields) => Promise<Response> {
  const handler = fetchHandler(server);
  t.after(() => handler.close({ deadline: 0 }));
  let id = 0;
  return (method, params, headers = {}) => {
    const _meta = {
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientCapabilities`]: { roots: {}, extensions: { [`${META}tasks`]: {} } },
      ...(params["_meta"] as object),
    };
    const named = params["name"] ?? params["taskId"];
    return handler(
      new Request(URL_, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28",
          "Mcp-Method": method,
          ...(named === undefined ? undefined : { "Mcp-Name": String(named) }),
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { ...params, _meta } }),
      }),
    );
  };
}

/** A session of 2025-11-25, spoken by hand. */
async function session(
  t: TestContext,
  server: McpServer,
): Promise<(method: string, params?: object, signal?: AbortSignal) => Promise<Response>> {
  const handler = fetchHandler(server);
  t.after(() => handler.close({ deadline: 0 }));
  let id = 0;
  let sessionId: string | null = null;
  const post = async (message: object, signal?: AbortSignal): Promise<Response> => {
    const headers = new Headers({
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    });
    if (sessionId !== null) headers.set("Mcp-Session-Id", sessionId);
    if (sessionId !== null) headers.set("MCP-Protocol-Version", "2025-11-25");
    const init = {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal && { signal }),
    };
    return await handler(new Request(URL_, init));
  };
  const params = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: info };
  const opened = await post({ id: ++id, method: "initialize", params });
  sessionId = opened.headers.get("Mcp-Session-Id");
  await post({ method: "notifications/initialized" });
  return (method, more = {}, signal) =>
    method === "answer" ? post(more) : post({ id: ++id, method, params: more }, signal);
}

const messagesIn = (text: string): Fields[] =>
  text
    .split("\n")
    .flatMap((line) => (/^data: ?\S/.test(line) ? [JSON.parse(line.replace(/^data: ?/, "")) as Fields] : []));

describe("the stream of a stateless request", () => {
  test("carries its progress, which no subscription hears of (PROG-16, TASKX-46)", async (t) => {
    const send = sender(t, working().server);
    const listening = await send("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const heard = listening.text();
    const answer = await send("tools/call", { name: "ask", _meta: { progressToken: "token" } });
    const methods = messagesIn(await answer.text()).map(({ method }) => method);
    assert.deepEqual(methods, ["notifications/progress", undefined]);
    await listening.body?.cancel().catch(() => {});
    void heard.catch(() => {});
  });

  test("ends with the questions: nothing follows them (MRTR-27)", async (t) => {
    const send = sender(t, working().server);
    const _meta = { progressToken: 1, [`${META}logLevel`]: "debug" };
    const answer = await send("tools/call", { name: "ask", _meta });
    assert.match(String(answer.headers.get("content-type")), /^text\/event-stream/);
    const messages = messagesIn(await answer.text());
    assert.equal((messages.at(-1)?.["result"] as Fields | undefined)?.["resultType"], "input_required");
    assert.deepEqual(
      messages.slice(0, -1).map(({ method }) => method),
      ["notifications/message", "notifications/progress"],
    );
  });
});

describe("tasks over HTTP", () => {
  test("name themselves in Mcp-Name, and are refused where it says something else (TASKX-47)", async (t) => {
    const { server, finish } = working();
    const handler = fetchHandler(server);
    t.after(() => handler.close({ deadline: 0 }));
    const names = new Map<string, Set<unknown>>();
    const transport = http(URL_, {
      fetch: (url, init) => {
        const { method, params } = JSON.parse(String(init?.body)) as { method: string; params: Fields };
        if (method.startsWith("tasks/")) {
          const seen = names.get(method) ?? new Set();
          names.set(method, seen.add(new Headers(init?.headers).get("Mcp-Name") === params["taskId"]));
        }
        return handler(new Request(url, init));
      },
    });
    const client = await connect(transport, info, { tasks: true, roots: [] });
    const ids = new Set<string>();
    const work = client.callTool("work", {}, { onTask: ({ taskId }) => ids.add(taskId) });
    while (ids.size === 0) await sleep(2);
    await sleep(10);
    const [id = ""] = ids;
    finish();
    assert.deepEqual((await work).content, [{ type: "text", text: "0 roots" }]);
    await client.task(id).cancel();
    assert.deepEqual([...names.keys()].toSorted(), ["tasks/cancel", "tasks/get", "tasks/update"]);
    for (const right of names.values()) assert.deepEqual([...right], [true]);
    await client.close();

    const send = sender(t, server);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const refused = await send(method, { taskId: id, inputResponses: {} }, { "Mcp-Name": "another" });
      const { error } = (await refused.json()) as { error: { code: number } };
      assert.deepEqual([refused.status, error.code], [400, -32020], method);
    }
  });

  test("of 2025-11-25: tasks/get is answered with JSON, and the stream of tasks/result may be dropped (TASKD-47, TASKD-48)", async (t) => {
    const { server, finish } = working();
    const ask = await session(t, server);
    const created = (await (await ask("tools/call", { name: "work", task: {} })).json()) as {
      result: { task: { taskId: string } };
    };
    const { taskId } = created.result.task;
    const shown = await ask("tasks/get", { taskId });
    assert.match(String(shown.headers.get("content-type")), /^application\/json/);
    await shown.json();

    const gone = new AbortController();
    const first = ask("tasks/result", { taskId }, gone.signal).then(async (response) => {
      await response.body?.cancel();
    });
    await sleep(10);
    gone.abort();
    await first.catch(() => {});
    finish();
    const second = await ask("tasks/result", { taskId });
    const reader = second.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let answered = false; ; ) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const question = messagesIn(text).find(({ method }) => method === "roots/list");
      if (!question || answered) continue;
      answered = true;
      await ask("answer", { id: question["id"], result: { roots: [{ uri: "file:///a" }] } });
    }
    const last = messagesIn(text).at(-1) as { result: { content: object[] } };
    assert.deepEqual(last.result.content, [{ type: "text", text: "1 roots" }]);
  });

  test("of 2025-11-25: a client answers a task's questions on whatever stream they come (TASKD-49)", async (t) => {
    const script = new ScriptedTasks();
    t.after(() => script.end());
    const transport = http(URL_, { fetch: (_url, init) => script.fetch(init) });
    const client = await connect(transport, info, { roots: [], revisions: olderRevisions });
    t.after(() => client.close());
    const { content } = await client.callTool("work", {}, { task: true });
    assert.deepEqual(content, [{ type: "text", text: "asked on the GET stream" }]);
    assert.deepEqual(script.answer, { roots: [], _meta: { [`${META}related-task`]: { taskId: "t" } } });
  });
});

/** A server of 2025-11-25 that puts a task's question on the GET stream, though nothing hinders it to do otherwise. */
class ScriptedTasks {
  answer: unknown;
  readonly #events = new TransformStream<string, string>();
  readonly #writer = this.#events.writable.getWriter();
  #answered!: () => void;
  readonly #done = new Promise<void>((resolve) => (this.#answered = resolve));

  async fetch({ method, body }: RequestInit = {}): Promise<Response> {
    if (method === "GET")
      return new Response(this.#events.readable.pipeThrough(new TextEncoderStream()), {
        headers: { "Content-Type": "text/event-stream" },
      });
    if (method === "DELETE") return new Response(null, { status: 200 });
    const message = JSON.parse(String(body)) as Fields & { readonly method?: string };
    if (message.method === undefined) {
      this.answer = message["result"];
      this.#answered();
    }
    if (message.method === undefined || message["id"] === undefined) return new Response(null, { status: 202 });
    const result = await this.#resultOf(message.method);
    const headers = { "Content-Type": "application/json", "Mcp-Session-Id": "s" };
    return new Response(JSON.stringify({ jsonrpc: "2.0", id: message["id"], result }), { headers });
  }

  end(): void {
    void this.#writer.close().catch(() => {});
  }

  async #resultOf(method: string): Promise<object> {
    const task = {
      taskId: "t",
      status: "input_required",
      createdAt: "",
      lastUpdatedAt: "",
      ttl: null,
      pollInterval: 5,
    };
    const tasks = { requests: { tools: { call: {} } } };
    switch (method) {
      case "initialize":
        return { protocolVersion: "2025-11-25", capabilities: { tools: {}, tasks }, serverInfo: info };
      case "tools/list":
        return { tools: [{ name: "work", inputSchema: { type: "object" }, execution: { taskSupport: "optional" } }] };
      case "tools/call":
        return { task };
      case "tasks/result": {
        const params = { _meta: { [`${META}related-task`]: { taskId: "t" } } };
        const question = { jsonrpc: "2.0", id: "q", method: "roots/list", params };
        await this.#writer.write(`data: ${JSON.stringify(question)}\n\n`);
        await this.#done;
        return { content: [{ type: "text", text: "asked on the GET stream" }] };
      }
      default:
        return {};
    }
  }
}
