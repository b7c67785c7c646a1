import assert from "node:assert/strict";
import { test } from "node:test";
import { RpcError, type Service, implement } from "@x/jsonrpc";
import { type Answer, type AnswerStore, MemoryAnswers, deduplicate, retry, timeLimit } from "@x/jsonrpc/middleware";
import { codeOf, failure, join as joinFarEnd, request, settled, sleep, success } from "../far-end.ts";
import { join } from "./joined.ts";

interface Shop {
  book(params: { room: string; key?: string }): unknown;
}

/** A service whose only method ends when it is told to. */
class Desk {
  runs = 0;
  readonly #open: ((end: () => unknown) => void)[] = [];
  readonly service: Service = implement<Shop>({
    book: () =>
      new Promise((resolve, reject) => {
        this.runs++;
        this.#open.push((end) => {
          try {
            resolve(end());
          } catch (error) {
            reject(error);
          }
        });
      }),
  });

  /** Ends the call that has run longest. */
  end(how: () => unknown): void {
    this.#open.shift()?.(how);
  }
}

const fail = (error: unknown) => (): never => {
  throw error;
};
const book = (id: unknown, params: object = { room: "A301" }) => request(id, "book", params);

test("a caller that sends a request again gets the answer of the one that runs", async () => {
  const desk = new Desk();
  desk.service.use(deduplicate());
  const { client, server } = join(desk.service, { timeout: 15 });
  client.use(retry({ delay: 1, methods: ["book"] }));
  const booked = client.request("book", { room: "A301" });
  await sleep(25);
  desk.end(() => "booked");
  assert.equal(await booked, "booked");
  assert.equal(desk.runs, 1);
  await client.close();
  await server.close();
});

test("each of two equal requests is answered, by one run", async () => {
  const desk = new Desk();
  const { peer, far } = joinFarEnd({ service: desk.service.use(deduplicate()) });
  far.send(book(7));
  far.send(book(7));
  await settled();
  desk.end(() => "booked");
  assert.deepEqual(await far.next(), success(7, "booked"));
  assert.deepEqual(await far.next(), success(7, "booked"));
  assert.equal(desk.runs, 1);
  await peer.close();
});

test("without deduplicate an id in flight is refused, whatever other middleware there is", async () => {
  const desk = new Desk();
  const { peer, far } = joinFarEnd({ service: desk.service.use((_call, next) => next()) });
  far.send(book(7));
  assert.equal(codeOf(await far.ask(book(7))), -32600);
  assert.equal(desk.runs, 1);
  desk.end(() => "booked");
  assert.deepEqual(await far.next(), success(7, "booked"));
  await peer.close();
});

test("an id in flight with other parameters is another call, and refused; later it is taken", async () => {
  const desk = new Desk();
  const { peer, far } = joinFarEnd({ service: desk.service.use(deduplicate()) });
  far.send(book(7));
  const other = book(7, { room: "B12" });
  assert.equal(codeOf(await far.ask(other)), -32600);
  desk.end(() => "A301");
  assert.deepEqual(await far.next(), success(7, "A301"));
  far.send(other);
  await settled();
  desk.end(() => "B12");
  assert.deepEqual(await far.next(), success(7, "B12"));
  assert.equal(desk.runs, 2);
  await peer.close();
});

test("a repetition that comes after the answer gets it again, nothing included", async () => {
  for (const result of ["booked", undefined, null, 0, { room: "A301" }]) {
    const desk = new Desk();
    const { peer, far } = joinFarEnd({ service: desk.service.use(deduplicate()) });
    far.send(book(1));
    await settled();
    desk.end(() => result);
    const first = await far.next();
    assert.deepEqual(await far.ask(book(1)), first);
    assert.equal(desk.runs, 1);
    await peer.close();
  }
});

test("errors are answers: an application's with its data, an internal one without its cause", async () => {
  for (const [error, code, data] of [
    [new RpcError(1001, "taken", { until: "12:00" }), 1001, { until: "12:00" }],
    [new RpcError(-32602, "no such room"), -32602, undefined],
    [new Error("secret"), -32603, undefined],
    ["secret", -32603, undefined],
  ] as const) {
    const desk = new Desk();
    const { peer, far, reports } = joinFarEnd({ service: desk.service.use(deduplicate()) });
    far.send(book(1));
    await settled();
    desk.end(fail(error));
    const first = await far.next();
    assert.equal(codeOf(first), code);
    assert.deepEqual((first as { error: { data: unknown } }).error.data, data);
    assert.deepEqual(await far.ask(book(1)), first);
    assert.equal(desk.runs, 1);
    assert.equal(reports.length, RpcError.is(error) ? 0 : 1);
    assert.doesNotMatch(JSON.stringify(first), /secret/);
    await peer.close();
  }
});

test("a refusal is no answer: the next one runs", async () => {
  for (const code of [-32000, -32050, -32099, -32600]) {
    const desk = new Desk();
    const { peer, far } = joinFarEnd({ service: desk.service.use(deduplicate()) });
    far.send(book(1));
    await settled();
    desk.end(fail(new RpcError(code, "busy")));
    assert.deepEqual(await far.next(), failure(1, code, "busy"));
    far.send(book(1));
    await settled();
    desk.end(() => "booked");
    assert.deepEqual(await far.next(), success(1, "booked"));
    await peer.close();
  }
});

test("inside of a time limit, a call that is answered late is joined by its repetition", async () => {
  const desk = new Desk();
  const { peer, far } = joinFarEnd({ service: desk.service.use(timeLimit(10), deduplicate()) });
  assert.equal(codeOf(await far.ask(book(1))), -32000);
  far.send(book(1));
  await settled();
  desk.end(() => "booked");
  assert.deepEqual(await far.next(), success(1, "booked"));
  assert.equal(desk.runs, 1);
  await peer.close();
});

test("an answer is given up after its time", async () => {
  const desk = new Desk();
  const { peer, far } = joinFarEnd({ service: desk.service.use(deduplicate({ ttl: 5 })) });
  for (const result of ["first", "second"]) {
    far.send(book(1));
    await settled();
    desk.end(() => result);
    assert.deepEqual(await far.next(), success(1, result));
    await sleep(10);
  }
  await peer.close();
});

test("ids of different connections, and of single exchanges, have nothing to do with each other", async () => {
  const desk = new Desk();
  desk.service.use(deduplicate());
  const one = joinFarEnd({ service: desk.service });
  const two = joinFarEnd({ service: desk.service });
  one.far.send(book(1));
  two.far.send(book(1));
  await settled();
  const texts = [desk.service.handle(JSON.stringify(book(1))), desk.service.handle(JSON.stringify(book(1)))];
  await settled();
  assert.equal(desk.runs, 4);
  for (let i = 1; i <= 4; i++) desk.end(() => i);
  assert.deepEqual(await one.far.next(), success(1, 1));
  assert.deepEqual(await two.far.next(), success(1, 2));
  assert.deepEqual(
    await Promise.all(texts),
    [3, 4].map((result) => JSON.stringify(success(1, result))),
  );
  await one.peer.close();
  await two.peer.close();
});

test("a request with the id null and a notification are never repetitions", async () => {
  const desk = new Desk();
  const { peer, far } = joinFarEnd({ service: desk.service.use(deduplicate()) });
  for (let i = 0; i < 2; i++) {
    far.send(book(null));
    far.send({ jsonrpc: "2.0", method: "book", params: { room: "A301" } });
  }
  await settled();
  assert.equal(desk.runs, 4);
  await peer.close();
});

const byKey = (store?: AnswerStore) => deduplicate({ key: ({ params }) => (params as { key?: string }).key, store });

test("a key joins calls of different connections and exchanges", async () => {
  const desk = new Desk();
  desk.service.use(byKey());
  const one = joinFarEnd({ service: desk.service });
  one.far.send(book(1, { room: "A301", key: "k" }));
  const text = desk.service.handle(JSON.stringify(book(99, { room: "A301", key: "k" })));
  await settled();
  assert.equal(desk.runs, 1);
  desk.end(() => "booked");
  assert.deepEqual(await one.far.next(), success(1, "booked"));
  assert.equal(await text, JSON.stringify(success(99, "booked")));
  await one.peer.close();
});

test("when the connection of the call that runs ends, one of those that wait runs it again", async () => {
  let runs = 0;
  const service = implement<Shop>({
    book: (_params, { signal }) =>
      ++runs === 1
        ? new Promise((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(new Error("given up")), { once: true }),
          )
        : "booked",
  }).use(byKey());
  const one = joinFarEnd({ service });
  one.far.send(book(1, { room: "A301", key: "k" }));
  await settled();
  const others = [2, 3].map((id) => service.handle(JSON.stringify(book(id, { room: "A301", key: "k" }))));
  await settled();
  assert.equal(runs, 1);
  await one.peer.close();
  assert.deepEqual(
    await Promise.all(others),
    [2, 3].map((id) => JSON.stringify(success(id, "booked"))),
  );
  assert.equal(runs, 2);
});

test("one that waited and was given up meanwhile is not run, the next is", async () => {
  let runs = 0;
  const service = implement<Shop>({
    book: (_params, { signal }) => {
      if (++runs === 2) return "booked";
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
      );
    },
  }).use(byKey());
  const call = (id: number, signal?: AbortSignal): Promise<string | undefined> =>
    service.handle(JSON.stringify(book(id, { room: "A301", key: "k" })), undefined, signal);
  const [first, second] = [new AbortController(), new AbortController()];
  const answers = [call(1, first.signal), call(2, second.signal), call(3)];
  await settled();
  second.abort();
  await settled();
  assert.equal(runs, 1);
  first.abort();
  const codes = (await Promise.all(answers)).map((answer) => codeOf(JSON.parse(answer ?? "null")));
  assert.deepEqual(codes, [-32000, -32000, undefined]);
  assert.equal(runs, 2);
});

test("a handler that answers at once is not made to wait", async () => {
  const service = implement<Shop>({ book: () => "booked" }).use(deduplicate());
  const { client, server, outcomes } = join(service);
  await client.request("book", { room: "A301" });
  assert.deepEqual(outcomes, ["booked"]);
  await client.close();
  await server.close();
});

test("MemoryAnswers keeps as many answers as it may, and lets those go first that nobody asked for", () => {
  const store = new MemoryAnswers(2);
  const run = (key: string): void => {
    assert.equal(store.claim(key), undefined);
    store.keep(key, { result: key }, 1000);
  };
  run("a");
  run("b");
  assert.deepEqual(store.claim("a"), { result: "a" });
  run("c");
  assert.deepEqual(store.claim("a"), { result: "a" });
  assert.deepEqual(store.claim("c"), { result: "c" });
  assert.equal(store.claim("b"), undefined);
});

/** A store that is somewhere else: every answer takes a turn, and is JSON. */
class Remote implements AnswerStore {
  readonly #texts = new Map<string, string>();
  down = false;

  async claim(key: string): Promise<Answer | undefined> {
    await this.#turn();
    const text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, "");
    if (text === "") return this.claim(key);
    return text === undefined ? undefined : (JSON.parse(text) as Answer);
  }

  async keep(key: string, answer: Answer): Promise<void> {
    await this.#turn();
    this.#texts.set(key, JSON.stringify(answer));
  }

  async release(key: string): Promise<void> {
    await this.#turn();
    this.#texts.delete(key);
  }

  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.down) throw new Error("no store");
  }
}

test("two services with one store run a call once", async () => {
  const store = new Remote();
  const [one, two] = [new Desk(), new Desk()];
  const texts = [one, two].map((desk) =>
    desk.service.use(byKey(store)).handle(JSON.stringify(book(1, { room: "A301", key: "k" }))),
  );
  await settled();
  assert.equal(one.runs + two.runs, 1);
  one.end(() => "booked");
  two.end(() => "booked");
  assert.deepEqual(
    await Promise.all(texts),
    [1, 1].map((id) => JSON.stringify(success(id, "booked"))),
  );
  assert.equal(one.runs + two.runs, 1);
});

test("a store that fails fails the call, and says so to onError", async () => {
  const store = new Remote();
  store.down = true;
  const { peer, far, reports } = joinFarEnd({ service: implement<Shop>({ book: () => "booked" }).use(byKey(store)) });
  assert.equal(codeOf(await far.ask(book(1, { room: "A301", key: "k" }))), -32603);
  assert.match(String(reports[0]?.error), /no store/);
  await peer.close();
});
