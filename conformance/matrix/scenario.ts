import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ContentBlock, Progress, Revision } from "@x/mcp";
import type { Change, Client } from "@x/mcp/client";
import type { Host } from "./host.ts";

interface Scene {
  readonly client: Client;
  readonly host: Host;
  /** The revision that both have agreed on. */
  readonly revision: Revision;
}

/** One thing that client and server do with each other. */
export interface Step {
  readonly name: string;
  /** Whether the revision has it (default: every one does). */
  readonly in?: (revision: Revision) => boolean;
  readonly run: (scene: Scene) => Promise<void>;
}

const asks =
  (method: string) =>
  ({ asks: known }: Revision): boolean =>
    known.has(method);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function until(holds: () => unknown): Promise<void> {
  for (const start = performance.now(); !(await holds()); await sleep(2))
    assert.ok(performance.now() - start < 10_000, `It never came: ${String(holds)}`);
}

const textOf = (content: readonly ContentBlock[]): string =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
const call = async ({ client }: Scene, name: string, args?: Record<string, unknown>): Promise<string> =>
  textOf((await client.callTool(name, args)).content);
const seen = async (scene: Scene): Promise<{ aborted: string[]; notes: unknown[] }> =>
  JSON.parse(await call(scene, "seen")) as { aborted: string[]; notes: unknown[] };

/** All that a client and a server can do with each other: the same rows for every pair and every transport. */
export const scenario: readonly Step[] = [
  {
    name: "who is who",
    run: async ({ client, revision }) => {
      assert.equal(client.server?.name, "everything");
      assert.equal(client.instructions, "Try it all.");
      assert.ok(client.capabilities.tools && client.capabilities.resources && client.capabilities.prompts);
      assert.deepEqual(JSON.parse(textOf((await client.callTool("meta")).content)).revision, revision.version);
    },
  },
  {
    name: "tools, page by page",
    run: async ({ client }) => {
      const first = await client.listTools();
      assert.equal(first.items.length, 5);
      assert.equal(typeof first.nextCursor, "string");
      const names = (await all(client.tools())).map(({ name }) => name);
      assert.deepEqual(names.slice(0, 3), ["book", "count", "fail"]);
      assert.ok(names.includes("print") && new Set(names).size === names.length);
    },
  },
  {
    name: "structured output, and its text",
    run: async (scene) => {
      const { structuredContent, content } = await scene.client.callTool("book", { room: "A301" });
      assert.deepEqual(structuredContent, { room: "A301", seats: 4 });
      assert.deepEqual(JSON.parse(textOf(content)), structuredContent);
      const { structuredContent: counted } = await scene.client.callTool("count");
      assert.deepEqual(counted, scene.revision.objectOutput ? { result: [1, 2, 3] } : [1, 2, 3]);
      assert.match(
        await call(scene, "book", { room: 7 }),
        /^Invalid arguments for tool "book": room: .* \(at \/room\)$/,
      );
    },
  },
  {
    name: "content of every kind, as the revision has it",
    run: async ({ client, revision }) => {
      const { content } = await client.callTool("contents");
      const { version } = revision;
      const audio = version === "2024-11-05" ? "resource" : "audio";
      const link = version < "2025-06-18" ? "text" : "resource_link";
      assert.deepEqual(
        content.map(({ type }) => type),
        ["text", "image", audio, "resource", link],
      );
      const { messages } = await client.getPrompt("poem", { about: "rain" });
      assert.deepEqual(
        messages.map((message) => message.content.type),
        ["text", audio],
      );
    },
  },
  {
    name: "failures and errors",
    run: async ({ client }) => {
      const { isError, content } = await client.callTool("fail");
      assert.deepEqual([isError, textOf(content)], [true, "out of paper"]);
      await assert.rejects(client.callTool("refuse"), { code: 1001, message: "taken", data: { until: "noon" } });
      await assert.rejects(client.callTool("nothing"), { code: -32602 });
      await assert.rejects(client.request("nothing/at-all"), { code: -32601 });
    },
  },
  {
    name: "resources and templates",
    run: async ({ client }) => {
      const uris = (await all(client.resources())).map(({ uri }) => uri);
      assert.deepEqual(uris, ["notes:pixel", "notes:monday", "notes:tuesday", "notes:wednesday"]);
      assert.deepEqual(
        (await all(client.resourceTemplates())).map(({ uriTemplate }) => uriTemplate),
        ["notes:{day}{?lang}"],
      );
      const { contents } = await client.readResource("notes:monday?lang=de");
      const [{ uri, mimeType, text } = {} as never] = contents as readonly {
        uri: string;
        mimeType: string;
        text: string;
      }[];
      assert.deepEqual([uri, mimeType, text], ["notes:monday?lang=de", "text/plain", "monday in de"]);
      const [pixel] = (await client.readResource("notes:pixel")).contents as readonly { blob: string }[];
      assert.equal(
        Buffer.from(pixel?.blob ?? "", "base64")
          .subarray(1, 4)
          .toString(),
        "PNG",
      );
      await assert.rejects(client.readResource("notes:sunday"), { name: "ResourceNotFoundError" });
    },
  },
  {
    name: "prompts and completion",
    run: async ({ client }) => {
      const [prompt] = await all(client.prompts());
      assert.deepEqual(
        prompt?.arguments?.map(({ name }) => name),
        ["about", "style"],
      );
      const { messages } = await client.getPrompt("poem", { about: "rain", style: "haiku" });
      assert.equal(textOf(messages.map(({ content }) => content)).split("\n")[0], "A haiku poem about rain");
      const { values } = await client.complete({ prompt: "poem" }, { name: "style", value: "s" });
      assert.deepEqual(values, ["sonnet"]);
      const days = await client.complete({ template: "notes:{day}{?lang}" }, { name: "day", value: "t" });
      assert.deepEqual(days.values, ["tuesday"]);
    },
  },
  {
    name: "progress and log messages",
    run: async ({ client, host }) => {
      await client.setLogLevel("debug");
      const progress: Progress[] = [];
      await client.callTool(
        "report",
        {},
        { onProgress: (report) => progress.push(report), resetTimeoutOnProgress: true },
      );
      assert.deepEqual(
        progress.map(({ progress: done, total }) => [done, total]),
        [
          [0.5, 2],
          [1, 2],
          [2, 2],
        ],
      );
      await until(() => host.logs.length === 4);
      assert.deepEqual(
        host.logs.map(({ level, data, logger }) => [level, data, logger]),
        [
          ["info", "at 0.5", undefined],
          ["info", "at 1", undefined],
          ["info", "at 2", undefined],
          ["debug", "done", "report"],
        ],
      );
      await client.setLogLevel("error");
    },
  },
  {
    name: "a call that is given up",
    run: async (scene) => {
      const before = (await seen(scene)).aborted.length;
      const stop = new AbortController();
      const waiting = scene.client.callTool("wait", {}, { signal: stop.signal });
      await sleep(20);
      stop.abort(new Error("enough"));
      await assert.rejects(waiting, { name: "AbortError" });
      await until(async () => (await seen(scene)).aborted.length === before + 1);
      await assert.rejects(scene.client.callTool("wait", {}, { timeout: 30 }), { name: "TimeoutError" });
      await until(async () => (await seen(scene)).aborted.length === before + 2);
    },
  },
  {
    name: "changes of a list and of a resource",
    run: async (scene) => {
      const changes: Change[] = [];
      const interest = { tools: true, uris: ["notes:monday"] };
      const subscription = scene.client.subscribe(interest, (change) => changes.push(change));
      assert.deepEqual(await subscription.ready, interest);
      await call(scene, "appear");
      await until(() => changes.some((change) => "list" in change && change.list === "tools"));
      assert.ok((await all(scene.client.tools())).some(({ name }) => name === "extra"));
      assert.equal(await call(scene, "extra"), "here");
      assert.equal(await call(scene, "touch"), "1 watched");
      await until(() => changes.some((change) => "resource" in change && change.resource === "notes:monday"));
      await subscription.close();
      assert.equal(await subscription.closed, undefined);
      await until(async () => (await call(scene, "touch")) === "0 watched");
      await call(scene, "vanish");
      await assert.rejects(scene.client.callTool("extra"), { code: -32602 });
    },
  },
  {
    name: "a form",
    in: asks("elicitation/create"),
    run: async (scene) => {
      assert.equal(await call(scene, "order"), "7: 2 tea");
      assert.equal(scene.host.asked.filter((message) => message === "What shall it be?").length, 1);
    },
  },
  {
    name: "no form where there are none",
    in: (revision) => !asks("elicitation/create")(revision),
    run: async (scene) => assert.match(await call(scene, "order"), /the client does not declare \{"elicitation":/),
  },
  {
    name: "an address, and the word that it is done",
    in: ({ tasks }) => tasks !== undefined,
    run: async (scene) => {
      const paid = scene.revision.urlRequired ? scene.host.hears("paid") : undefined;
      assert.equal(await call(scene, "pay"), "accept");
      await paid;
      assert.ok(scene.host.asked.includes("https://pay.example/7"));
    },
  },
  {
    name: "the client's model",
    in: asks("sampling/createMessage"),
    run: async (scene) => assert.equal(await call(scene, "think"), '["tiny",{"type":"text","text":"ah!"}]'),
  },
  {
    name: "the client's roots, alone and with a question to its model at once",
    in: asks("roots/list"),
    run: async (scene) => {
      assert.equal(await call(scene, "look"), "file:///home/ada");
      assert.equal(await call(scene, "both"), "1 tiny");
    },
  },
  {
    name: "a task that asks",
    in: ({ tasks }) => tasks !== undefined,
    run: async ({ client }) => {
      const states = new Set<string>();
      const options = { task: true, onTask: ({ status }: { status: string }) => states.add(status) };
      const { content } = await client.callTool("print", {}, options);
      assert.equal(textOf(content), "printed on tea");
      assert.ok(states.has("working") || states.has("input_required"), [...states].join());
    },
  },
  {
    name: "no task where there are none: the call just takes longer",
    in: ({ tasks, asks: known }) => tasks === undefined && known.has("elicitation/create"),
    run: async ({ client }) => {
      assert.equal(textOf((await client.callTool("print", {}, { task: true })).content), "printed on tea");
      assert.throws(() => client.task("x"), { name: "CapabilityError" });
    },
  },
  {
    name: "methods and notifications of one's own",
    run: async (scene) => {
      assert.equal(((await scene.client.request("com.example/double", { n: 21 })) as { n: number }).n, 42);
      const before = (await seen(scene)).notes.length;
      await scene.client.notify("com.example/note", { text: "hi" });
      await until(async () => (await seen(scene)).notes.length === before + 1);
    },
  },
  {
    name: "metadata goes through untouched",
    run: async ({ client }) => {
      const meta = {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
        tracestate: "a=1",
        baggage: "user=ada",
        "com.example/odd": { a: [null, 0, ""] },
      };
      const { content } = await client.callTool("meta", {}, { meta });
      const { meta: arrived } = JSON.parse(textOf(content)) as { meta: Record<string, unknown> };
      for (const [key, value] of Object.entries(meta)) assert.deepEqual(arrived[key], value, key);
    },
  },
  {
    name: "a sign of life",
    run: async ({ client }) => await client.ping(),
  },
  {
    name: "many calls at once",
    run: async ({ client }) => {
      const rooms = Array.from({ length: 30 }, (_, index) => `room ${index}`);
      const results = await Promise.all(rooms.map((room) => client.callTool("book", { room })));
      assert.deepEqual(
        results.map(({ structuredContent }) => (structuredContent as { room: string }).room),
        rooms,
      );
    },
  },
];
