import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type EventStore,
  type HttpInfo,
  type StoredEvent,
  type StreamableOptions,
  memoryEvents,
} from "../src/index.ts";
import { type ServerEvent, StreamReader } from "./events.ts";
import { type Probe, entries, probe } from "./mcp.ts";
import { eventually, pause } from "./serve.ts";
import { Visitor } from "./visitor.ts";

/** A server with a tool whose client may come back for the answer, and one that reports often. */
function reporter(): Probe & { readonly polls: { count: number } } {
  const made = probe();
  const polls = { count: 0 };
  made.server.tool("poll", { description: "Lets the client come back" }, async (_args, context) => {
    polls.count++;
    await pause(10);
    const left = (context.info as HttpInfo).poll(70);
    context.progress(1, 2);
    await pause(50);
    return left ? "polled" : "stayed";
  });
  made.server.tool("flood", { description: "Reports so often" }, (args, context) => {
    for (let i = 1; i <= Number(args["count"]); i++) context.progress(i);
    return "flooded";
  });
  return Object.assign(made, { polls });
}

const report = (name: string, args: object = {}): object => ({ name, arguments: args, _meta: { progressToken: "t" } });
const lastId = (events: readonly ServerEvent[]): string => events.findLast(({ id }) => id !== undefined)?.id ?? "";

for (const [entry, start] of entries)
  describe(`streams that can be resumed, ${entry}`, () => {
    test("HTTP-29 HTTP-45 HTTP-46: in 2025-11-25 a stream begins with an id, and each event has one of its own", async (t) => {
      const visitor = await Visitor.greeted(await start(t, reporter().server, { retry: 300 }));
      const streams = [
        new StreamReader(await visitor.open("tools/call", report("report"))),
        new StreamReader(await visitor.open("tools/call", report("report"))),
      ];
      await eventually(() => streams.every(({ ended }) => ended));
      for (const { events, text } of streams) {
        assert.equal(events.length, 5);
        assert.match(text, /^id: \S+\nretry: 300\ndata: \n\n/);
      }
      const ids = streams.flatMap(({ events }) => events.map(({ id }) => id));
      assert.ok(!ids.includes(undefined));
      assert.equal(new Set(ids).size, 10);
    });

    test("HTTP-29: before 2025-11-25 there is no event without data", async (t) => {
      const visitor = await Visitor.greeted(await start(t, reporter().server), "2025-06-18");
      const stream = new StreamReader(await visitor.open("tools/call", report("report")));
      await eventually(() => stream.ended);
      assert.equal(stream.events.length, 4);
      assert.ok(stream.events.every(({ id, data }) => id !== undefined && data !== ""));
    });

    test("E04 HTTP-30 HTTP-31 HTTP-51: a handler lets its client come back for the answer, and runs once", async (t) => {
      const { server, polls } = reporter();
      const visitor = await Visitor.greeted(await start(t, server, { retry: 500 }));
      const stream = new StreamReader(await visitor.open("tools/call", report("poll"), "polled call"));
      await eventually(() => stream.ended);
      assert.match(stream.text, /^id: \S+\nretry: 500\ndata: \n\nretry: 70\n\n$/);
      const rest = new StreamReader(await visitor.get({ "Last-Event-ID": lastId(stream.events) }));
      await eventually(() => rest.ended);
      assert.deepEqual(
        rest.messages.map(({ method, id, result }) => method ?? [id, textIn(result)]),
        ["notifications/progress", ["polled call", "polled"]],
      );
      assert.equal(polls.count, 1);
    });

    test("the answer is there for a client that comes after the end", async (t) => {
      const visitor = await Visitor.greeted(await start(t, reporter().server));
      const stream = new StreamReader(await visitor.open("tools/call", report("poll")));
      await eventually(() => stream.ended);
      await pause(120);
      for (let i = 0; i < 2; i++) {
        const rest = new StreamReader(await visitor.get({ "Last-Event-ID": lastId(stream.events) }));
        await eventually(() => rest.ended);
        assert.equal(rest.messages.length, 2);
      }
    });

    test("where a client can't come back, poll changes nothing", async (t) => {
      const { server } = reporter();
      const old = await Visitor.greeted(await start(t, server), "2025-06-18");
      assert.match((await old.ask("tools/call", report("poll"))).text, /stayed/);
      const forgetful = await Visitor.greeted(await start(t, server, { events: false }));
      assert.match((await forgetful.ask("tools/call", report("poll"))).text, /stayed/);
    });

    test("HTTP-28 HTTP-48 HTTP-49: a stream that was cut off goes on where it was", async (t) => {
      const { server } = reporter();
      server.tool("slow", {}, async (_args, context) => {
        context.progress(1);
        context.progress(2);
        await new Promise<void>((resolve) => gates.push(resolve));
        context.progress(3);
        return "whole";
      });
      const gates: (() => void)[] = [];
      const visitor = await Visitor.greeted(await start(t, server));
      const controller = new AbortController();
      const stream = new StreamReader(await visitor.open("tools/call", report("slow"), undefined, controller.signal));
      await eventually(() => stream.messages.length === 2);
      await stream.cancel();
      controller.abort();
      await pause(30);
      for (const go of gates) go();
      await pause(30);
      const firstId = stream.events.find(({ data }) => data?.includes('"progress":1'))?.id ?? "";
      const rest = new StreamReader(await visitor.get({ "Last-Event-ID": firstId }));
      await eventually(() => rest.ended);
      assert.deepEqual(
        rest.messages.map(
          ({ params, result }) => (params as { progress?: number } | undefined)?.progress ?? textIn(result),
        ),
        [2, 3, "whole"],
      );
    });

    test("E02: five unasked messages in one turn; after the second there are the third to the fifth", async (t) => {
      const { server } = reporter();
      const visitor = await Visitor.greeted(await start(t, server));
      const controller = new AbortController();
      const stream = new StreamReader(await visitor.get({}, controller.signal));
      for (let i = 0; i < 5; i++) {
        server.tool(`tool-${i}`, {}, () => "");
        // Changes of one turn are announced once.
        await Promise.resolve();
      }
      await eventually(() => stream.messages.length === 5);
      await stream.cancel();
      controller.abort();
      const ids = stream.events.filter(({ data }) => data !== "").map(({ id }) => id ?? "");
      const rest = new StreamReader(await visitor.get({ "Last-Event-ID": ids[1] ?? "" }));
      await eventually(() => rest.messages.length === 3);
      assert.deepEqual(
        rest.events.map(({ id }) => id),
        ids.slice(2),
      );
      server.tool("after", {}, () => "");
      await eventually(() => rest.messages.length === 4);
      await rest.cancel();
    });

    test("HTTP-47 HTTP-50: an id of another stream or session brings nothing of it", async (t) => {
      const { server } = reporter();
      const send = await start(t, server);
      const [alice, mallory] = [await Visitor.greeted(send), await Visitor.greeted(send)];
      const stream = new StreamReader(await alice.open("tools/call", report("report")));
      await eventually(() => stream.ended);
      const stolen = await mallory.get({ "Last-Event-ID": stream.events[0]?.id ?? "" });
      assert.equal(stolen.status, 400);
      assert.doesNotMatch(await stolen.text(), /reported/);
    });

    test("E03: an id that means nothing gets 400, or a new stream if it was of one that belonged to no call", async (t) => {
      const visitor = await Visitor.greeted(await start(t, reporter().server));
      for (const id of [
        "",
        "nonsense",
        "r1-5",
        "r1-",
        "-1",
        "r1-999999999999999999999",
        "r1-1;x",
        "__proto__-1",
        "r1--1",
      ])
        assert.equal((await visitor.get({ "Last-Event-ID": id })).status, 400, id);
      const fresh = await visitor.get({ "Last-Event-ID": "l99-7" });
      assert.equal(fresh.status, 200);
      await fresh.body?.cancel();
    });

    test("an event that was never sent is none to go on from", async (t) => {
      const visitor = await Visitor.greeted(await start(t, reporter().server));
      const stream = new StreamReader(await visitor.open("tools/call", report("report")));
      await eventually(() => stream.ended);
      const future = lastId(stream.events).replace(/\d+$/, "99");
      assert.equal((await visitor.get({ "Last-Event-ID": future })).status, 400);
    });

    test("E06: what a store has dropped can't be had; what it has can", async (t) => {
      const options: StreamableOptions = { events: memoryEvents({ perStream: 10 }) };
      const visitor = await Visitor.greeted(await start(t, reporter().server, options));
      const stream = new StreamReader(await visitor.open("tools/call", report("flood", { count: 100 })));
      await eventually(() => stream.ended);
      const ids = stream.events.map(({ id }) => id ?? "");
      assert.equal((await visitor.get({ "Last-Event-ID": ids[1] ?? "" })).status, 400);
      const rest = new StreamReader(await visitor.get({ "Last-Event-ID": ids.at(-6) ?? "" }));
      await eventually(() => rest.ended);
      assert.equal(rest.messages.length, 5);
    });

    test("D22: a client that goes in the middle of a replay leaves no harm", async (t) => {
      const visitor = await Visitor.greeted(await start(t, reporter().server, { maxStreams: 2 }));
      const stream = new StreamReader(await visitor.open("tools/call", report("flood", { count: 900 })));
      await eventually(() => stream.ended);
      const first = stream.events[0]?.id ?? "";
      for (let i = 0; i < 5; i++) {
        const controller = new AbortController();
        const response = await visitor.get({ "Last-Event-ID": first }, controller.signal);
        const reader = response.body!.getReader();
        await reader.read();
        await reader.cancel();
        controller.abort();
        await pause(20);
      }
      const rest = new StreamReader(await visitor.get({ "Last-Event-ID": first }));
      await eventually(() => rest.ended);
      assert.equal(rest.messages.length, 901);
    });

    test("a store may be slow, and may fail: nothing is lost or sent twice", async (t) => {
      const { server } = reporter();
      const kept = new Map<string, StoredEvent[]>();
      const reported: unknown[] = [];
      const slow: EventStore = {
        append: async (stream, event) => {
          kept.set(stream, [...(kept.get(stream) ?? []), event]);
          await pause(1);
          if (event.number === 2) throw new Error("the database is away");
        },
        after: async (stream, number) => {
          await pause(20);
          return kept.get(stream)?.filter((event) => event.number > number);
        },
        delete: (stream) => void kept.delete(stream),
      };
      const visitor = await Visitor.greeted(
        await start(t, server, { events: slow, onError: (error) => void reported.push(error) }),
      );
      const stream = new StreamReader(await visitor.open("tools/call", report("poll")));
      await eventually(() => stream.ended);
      const rest = new StreamReader(await visitor.get({ "Last-Event-ID": lastId(stream.events) }));
      await eventually(() => rest.ended);
      assert.equal(rest.messages.length, 2);
      await eventually(() => reported.length === 1);
      await visitor.end();
      assert.equal(kept.size, 0);
    });
  });

const away = async (): Promise<never> => {
  throw new Error("the database is away");
};

describe("a store that is away when a client comes back", () => {
  for (const [entry, start] of entries)
    test(`is reported, and the client may try again, ${entry}`, async (t) => {
      const store = memoryEvents();
      const reported: unknown[] = [];
      const events: EventStore = {
        append: (...event) => store.append(...event),
        delete: (id) => store.delete(id),
        after: away,
      };
      const onError = (error: unknown): void => void reported.push(String(error));
      const visitor = await Visitor.greeted(await start(t, reporter().server, { events, onError }));
      const stream = new StreamReader(await visitor.open("tools/call", report("poll")));
      await eventually(() => stream.ended);
      assert.equal((await visitor.get({ "Last-Event-ID": lastId(stream.events) })).status, 503);
      assert.deepEqual(reported, ["Error: the database is away"]);
    });
});

describe("memoryEvents", () => {
  test("gives what followed, or undefined where some of it is gone", () => {
    const store = memoryEvents({ perStream: 5 });
    for (let i = 1; i <= 9; i++) void store.append("a", event(i));
    assert.equal((store.after("a", 0) as StoredEvent[]).length, 9);
    void store.append("a", event(10));
    assert.equal(store.after("a", 4), undefined);
    assert.deepEqual(
      (store.after("a", 5) as StoredEvent[]).map(({ number }) => number),
      [6, 7, 8, 9, 10],
    );
    assert.deepEqual(store.after("a", 10), []);
    assert.equal(store.after("b", 0), undefined);
  });

  test("E06: a million events take no more room than the cap, and the streams silent longest go first", () => {
    const store = memoryEvents({ perStream: 100, total: 10_000 });
    for (let i = 1; i <= 1_000_000; i++) void store.append(`stream ${i % 7}`, event(Math.ceil(i / 7)));
    for (let i = 0; i < 20; i++) void store.append(`late ${i}`, event(1, 900));
    assert.equal(store.after("stream 0", 142_857), undefined);
    assert.equal(store.after("late 1", 0), undefined);
    assert.equal((store.after("late 19", 0) as StoredEvent[]).length, 1);
    void store.append("huge", event(1, 20_000));
    assert.equal(store.after("huge", 0), undefined);
  });
});

const textIn = (result: unknown): string | undefined =>
  (result as { content?: { text: string }[] } | undefined)?.content?.[0]?.text;

const event = (number: number, size = 10): StoredEvent => ({ number, data: "x".repeat(size) });
