// A client whose server answers with questions (basic/patterns/mrtr), scripted down to the byte.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ConnectOptions } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { joined, settle } from "../joined.ts";
import { type Fields, type Scripted, type Script, meet, info, modern, text } from "../scripted.ts";

const form = {
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object", properties: { a: { type: "string" } } } },
};
const content = [{ type: "text" as const, text: "hm" }][0];
const sample = { method: "sampling/createMessage", params: { messages: [{ role: "user", content }], maxTokens: 9 } };
const roots = { method: "roots/list" };

const answers: ConnectOptions = {
  elicit: () => ({ action: "accept", content: { a: "b" } }),
  sample: () => ({ role: "assistant", content: { type: "text", text: "yes" }, model: "m", stopReason: "endTurn" }),
  roots: [{ uri: "file:///home" }],
};

/** A server whose first answers to tools/call are these, and whose last is a result. */
const asking = (...rounds: readonly Fields[]): Script => {
  const left = [...rounds];
  const call = (): Fields => left.shift() ?? text("done");
  const all = {
    ...(modern["server/discover"]?.({}, 0) as Fields),
    capabilities: { tools: {}, prompts: {}, resources: {} },
  };
  return {
    "server/discover": () => all,
    "tools/call": call,
    "prompts/get": call,
    "resources/read": call,
    "tools/list": () => ({ tools: [], resultType: "complete" }),
  };
};

const required = (inputRequests?: Fields, requestState?: string): Fields => ({
  resultType: "input_required",
  ...(inputRequests && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
});

/** What was sent for a method, without what every request carries. */
const sent = (server: Scripted, method: string): Fields[] =>
  server.heard
    .filter((message) => message.method === method)
    .map(({ params }) => {
      const { _meta, ...own } = params as Fields;
      return own;
    });

const call = { name: "work", arguments: { n: 1 } };

async function slowly(): Promise<{ action: "decline" }> {
  await new Promise((resolve) => setTimeout(resolve, 25));
  return { action: "decline" };
}

describe("a client that is asked before it is answered", () => {
  test("answers every question, then sends the same again with the answers and the state (MRTR-10, MRTR-12, ROOT-03, SAMP-03, BASE-27)", async () => {
    const { server, client } = await meet(asking(required({ f: form, s: sample, r: roots }, "state")), answers);
    assert.deepEqual((await client.callTool("work", { n: 1 }, { meta: { "com.example/a": 1 } })).content, [
      { type: "text", text: "done" },
    ]);
    assert.deepEqual(sent(server, "tools/call"), [
      call,
      {
        ...call,
        inputResponses: {
          f: { action: "accept", content: { a: "b" } },
          s: { role: "assistant", content: { type: "text", text: "yes" }, model: "m", stopReason: "endTurn" },
          r: { roots: [{ uri: "file:///home" }] },
        },
        requestState: "state",
      },
    ]);
    const metas = server.heard
      .filter(({ method }) => method === "tools/call")
      .map(({ params }) => (params as Fields)["_meta"]);
    assert.deepEqual(metas[0], metas[1]);
    assert.equal((metas[1] as Fields)["com.example/a"], 1);
    assert.deepEqual(server.answers, []);
  });

  test("as a new request, each round anew (MRTR-16, BASE-05)", async () => {
    const { server, client } = await meet(asking(required({ f: form }), required({ f: form })), answers);
    await client.callTool("work");
    const ids = server.heard.flatMap((message) =>
      "id" in message && message.method === "tools/call" ? [message.id] : [],
    );
    assert.equal(new Set(ids).size, 3);
  });

  for (const state of ['é\u0000\\"', "", "{}", "not json {", "🙂", " ", "x".repeat(100_000)])
    test(`echoes the state ${JSON.stringify(state.slice(0, 12))} as it came (MRTR-13, MRTR-15, G11)`, async () => {
      const { server, client } = await meet(asking(required({ f: form }, state)), answers);
      await client.callTool("work");
      assert.equal(sent(server, "tools/call")[1]?.["requestState"], state);
    });

  test("sends no state where none came, and only the newest, with the newest answers (MRTR-14, G11)", async () => {
    const rounds = [required({ f: form }, "one"), required({ r: roots }), required({ f: form }, "three")];
    const { server, client } = await meet(asking(...rounds), answers);
    await client.callTool("work");
    const [, second, third, fourth] = sent(server, "tools/call");
    assert.deepEqual([second?.["requestState"], Object.keys(second?.["inputResponses"] ?? {})], ["one", ["f"]]);
    assert.equal("requestState" in (third ?? {}), false);
    assert.deepEqual(Object.keys(third?.["inputResponses"] ?? {}), ["r"]);
    assert.deepEqual([fourth?.["requestState"], Object.keys(fourth?.["inputResponses"] ?? {})], ["three", ["f"]]);
  });

  test("comes back at once where there is only a state (MRTR-11)", async () => {
    const { server, client } = await meet(asking(required(undefined, "later")));
    await client.callTool("work", { n: 1 });
    assert.deepEqual(sent(server, "tools/call")[1], { ...call, requestState: "later" });
  });

  test("in prompts and resources too (MRTR-03)", async () => {
    const { server, client } = await meet(
      asking(required({ f: form }), { messages: [] }, required({ f: form }), { contents: [] }),
      answers,
    );
    await client.getPrompt("p");
    await client.readResource("x:1");
    for (const method of ["prompts/get", "resources/read"]) assert.equal(sent(server, method).length, 2, method);
  });

  test("mixes nothing into other calls (MRTR-17)", async () => {
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const elicit = async (): Promise<{ action: "decline" }> => {
      await held;
      return { action: "decline" };
    };
    const { server, client } = await meet(asking(required({ f: form }, "state")), { elicit });
    const asked = client.callTool("work");
    await settle();
    await Promise.all([client.callTool("other"), client.listTools()]);
    release();
    await asked;
    await client.callTool("after");
    for (const params of [
      ...sent(server, "tools/call").filter(({ name }) => name !== "work"),
      ...sent(server, "tools/list"),
    ])
      assert.deepEqual(
        Object.keys(params).filter((key) => key !== "name"),
        [],
      );
  });

  test("is told of progress once, though each round reports it anew (PROG-05)", async () => {
    const server = new McpServer(info);
    server.tool("work", {}, async (_args, { listRoots, progress }) => {
      for (const done of [1, 2]) progress(done, 4, "before");
      await listRoots();
      for (const done of [3, 4]) progress(done, 4, "after");
    });
    const client = await joined(server, "2026-07-28", { roots: [] });
    const heard: unknown[] = [];
    await client.callTool("work", {}, { onProgress: ({ progress, message }) => heard.push([progress, message]) });
    assert.deepEqual(heard, [
      [1, "before"],
      [2, "before"],
      [3, "after"],
      [4, "after"],
    ]);
  });

  test("ends after ten rounds (G11)", async () => {
    const { client, server } = await meet({ ...asking(), "tools/call": () => required({ f: form }) }, answers);
    await assert.rejects(client.callTool("work"), {
      message: "The server asked for input more than 10 times for one request",
    });
    assert.equal(sent(server, "tools/call").length, 11);
  });

  for (const [what, options, error] of [
    [
      "refuses",
      {
        elicit: () => {
          throw new Error("no");
        },
      },
      { message: "no" },
    ],
    ["can't do", {}, { code: -32602, message: /does not declare elicitation in mode "form"/ }],
  ] as const)
    test(`what it ${what} ends the call: nothing more is sent (ROOT-08, SAMP-21, BASE-13, MRTR-10)`, async () => {
      const { server, client } = await meet(asking(required({ f: form, r: roots })), { roots: [], ...options });
      await assert.rejects(client.callTool("work"), error);
      await settle();
      assert.equal(sent(server, "tools/call").length, 1);
      assert.deepEqual(server.answers, []);
    });

  test("where one of several questions fails whoever answers the others is told", async () => {
    let told: unknown;
    const elicit = (_form: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
      signal.addEventListener("abort", () => (told = signal.reason));
      return new Promise<never>(() => {});
    };
    const sampling = { ...sample, params: { messages: [], maxTokens: 9 } };
    const { client } = await meet(asking(required({ f: form, s: sampling })), {
      elicit,
      sample: async () => {
        await settle();
        throw new Error("no model");
      },
    });
    await assert.rejects(client.callTool("work"), { message: "no model" });
    assert.equal(String(told), "Error: no model");
  });

  test("giving the call up is an AbortError, though nobody answers; whoever would have is told", async () => {
    const stop = new AbortController();
    let told: unknown;
    const elicit = async (_form: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> => {
      setTimeout(() => stop.abort(new Error("enough")), 1);
      signal.addEventListener("abort", () => (told = signal.reason));
      return await new Promise<never>(() => {});
    };
    const { client } = await meet(asking(required({ f: form })), { elicit });
    await assert.rejects(client.callTool("work", {}, { signal: stop.signal }), (error: Error) => {
      assert.equal(String(error), 'AbortError: "tools/call" was aborted');
      assert.equal(String(error.cause), "Error: enough");
      assert.equal(told, error);
      return true;
    });
  });

  test("maxTotalTimeout holds for all rounds, and for the time that answers take (TIME-05)", async () => {
    const { server, client } = await meet(
      { ...asking(), "tools/call": () => required({ f: form }) },
      { elicit: slowly },
    );
    await assert.rejects(client.callTool("work", {}, { maxTotalTimeout: 60 }), {
      name: "TimeoutError",
      message: 'No answer to "tools/call" within 60 ms',
    });
    const { length } = sent(server, "tools/call");
    await slowly();
    await settle();
    assert.equal(sent(server, "tools/call").length, length);
  });
});
