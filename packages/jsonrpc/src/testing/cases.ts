import { RpcError } from "../errors.ts";
import type { Context } from "../handler.ts";
import type { Message, Notification } from "../message.ts";
import { createPeer } from "../peer.ts";
import { implement } from "../service.ts";
import type { Transport } from "../transport.ts";
import { End, equal, within } from "./end.ts";

/** Something that the contract of transports promises, with two that are joined and not yet open. */
export type Case = (a: Transport, b: Transport) => Promise<void>;

const note = (n: unknown): Notification => ({ jsonrpc: "2.0", method: "note", params: [n] });
const notes = (count: number): Notification[] => Array.from({ length: count }, (_, n) => note(n));

const opened =
  (run: (a: End, b: End) => Promise<void>): Case =>
  async (a, b) => {
    const ends = [new End(a), new End(b)] as const;
    await run(...ends);
    for (const end of ends) await end.close();
  };

const kinds: readonly Message[] = [
  { jsonrpc: "2.0", id: 1, method: "a" },
  { jsonrpc: "2.0", id: 0, method: "a", params: [] },
  { jsonrpc: "2.0", id: "", method: "a", params: {} },
  { jsonrpc: "2.0", id: null, method: "", params: { deep: [{ deeper: [null, true, -1.5e-7] }] } },
  { jsonrpc: "2.0", method: "a" },
  { jsonrpc: "2.0", id: 1, result: null },
  { jsonrpc: "2.0", id: "x", result: { a: [0, "", false] } },
  { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
  { jsonrpc: "2.0", id: 2, error: { code: 1, message: "", data: [1] } },
];

const texts = [
  "\u2028 \u2029 \u0000 \u001f \u007f \u0085 \ufeff",
  "line\nfeed, carriage\r\nreturn",
  '"quotes" and \\backslashes\\ \\n',
  "ä ß € 漢字 עברית 👩‍👩‍👧‍👦 𝒳",
  "Content-Length: 5\r\n\r\n{}",
  "\ud800 a half of a pair",
];

/** Fails in every serialisation: JSON and structured clones both read members. */
const unserialisable: Message = {
  jsonrpc: "2.0",
  method: "note",
  params: {
    get value(): never {
      throw new TypeError("a value that can't be sent");
    },
  },
};

async function fails(send: () => void | Promise<void>): Promise<boolean> {
  try {
    await send();
    return false;
  } catch {
    return true;
  }
}

export const cases: { readonly [name: string]: Case } = {
  "messages arrive as they were sent, in order": opened(async (a, b) => {
    for (const message of kinds) await a.send(message);
    await b.expect(kinds);
  }),

  "both directions at once": opened(async (a, b) => {
    const messages = notes(100);
    for (const message of messages) await Promise.all([a.send(message), b.send(message)]);
    await Promise.all([a.expect(messages), b.expect(messages)]);
  }),

  "a batch arrives as one": opened(async (a, b) => {
    await a.send(kinds);
    await a.send([note(1)]);
    await b.expect([kinds, [note(1)]]);
  }),

  "any text": opened(async (a, b) => {
    for (const text of texts) await a.send(note(text));
    await b.expect(texts.map(note));
  }),

  "a message of 1 MiB, and the one behind it": opened(async (a, b) => {
    const large = note(texts[3]?.padEnd(2 ** 20, "€uro "));
    await a.send(large);
    await a.send(note("next"));
    await b.expect([large, note("next")]);
  }),

  "ten thousand messages in one turn": opened(async (a, b) => {
    const messages = notes(10_000);
    const sent = messages.map(async (message) => a.transport.send(message));
    await b.expect(messages);
    await within(Promise.all(sent), "every send() settles");
  }),

  "a message that can't be serialised throws at once, and the connection lives": opened(async (a, b) => {
    let thrown = false;
    try {
      const sent = a.transport.send(unserialisable);
      sent?.catch(() => {});
    } catch {
      thrown = true;
    }
    equal(thrown, true, "whether send() threw");
    await a.send(note("next"));
    await b.expect([note("next")]);
  }),

  "open() does not settle while the connection lives": opened(async (a, b) => {
    await a.send(note(1));
    await b.send(note(2));
    await Promise.all([a.expect([note(2)]), b.expect([note(1)])]);
    equal([a.hasEnded, b.hasEnded], [false, false], "whether open() has settled");
  }),

  "close delivers what was sent and settles open() on both sides": opened(async (a, b) => {
    const messages = notes(1000);
    for (const message of messages) void a.transport.send(message);
    const closing = a.close();
    await b.expect(messages);
    await closing;
    await within(b.ended, "open() settles on the other side");
  }),

  "close may be called again, at once and later": opened(async (a, b) => {
    await Promise.all([a.close(), a.close()]);
    await a.close();
    await within(b.ended, "open() settles on the other side");
    await b.close();
  }),

  "both sides close at once": opened(async (a, b) => {
    await Promise.all([a.close(), b.close()]);
  }),

  "after close send fails and nothing arrives": opened(async (a, b) => {
    await a.close();
    equal(await fails(() => a.transport.send(note(1))), true, "whether send() fails");
    await within(b.ended, "open() settles on the other side");
    equal(b.arrived, [], "what has arrived");
  }),

  "peers call each other, both ways, and end together": async (a, b) => {
    const service = implement({
      add: ([x, y]: [number, number]) => x + y,
      refuse: () => {
        throw new RpcError(1001, "taken", { until: "15:00" });
      },
      back: async ([method]: [string], context: Context) => [await context.request(method, [20, 1])],
      wait: (_: unknown, { signal }: Context) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const one = service.connect(a);
    const other = createPeer(b, { service });
    equal(await within(one.request("add", [1, 2]), "a call is answered"), 3, "the result");
    equal(await within(other.request("back", ["add"]), "a call is answered"), [21], "the result");
    const error: unknown = await other.request("refuse").catch((reason: unknown) => reason);
    equal(
      RpcError.is(error) && [error.code, error.message, error.data],
      [1001, "taken", { until: "15:00" }],
      "the error",
    );
    const results = other.batch((batch) => [batch.request("add", [1, 1]), batch.request("add", [2, 2])]);
    equal(await within(results, "a batch is answered"), [2, 4], "the results");
    const waiting = Promise.all([
      fails(() => one.request("wait") as Promise<void>),
      fails(() => other.request("wait") as Promise<void>),
    ]);
    await within(one.close(), "close() settles");
    equal(await within(waiting, "calls in flight end"), [true, true], "whether the calls in flight were rejected");
    await within(other.close(), "the other side closes");
  },
};
