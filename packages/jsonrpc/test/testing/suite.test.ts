import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Transport, memoryPair } from "@x/jsonrpc";
import { contentLength, newline } from "@x/jsonrpc/framing";
import { faulty, framed, record, tap, transportSuite } from "@x/jsonrpc/testing";
import { messagePort } from "./message-port.ts";

transportSuite("memory", memoryPair, test);

transportSuite(
  "MessagePort",
  () => {
    const { port1, port2 } = new MessageChannel();
    return [messagePort(port1), messagePort(port2)];
  },
  test,
);

const both = (wrap: (transport: Transport, n: number) => Transport): (() => [Transport, Transport]) => {
  return () => {
    const [a, b] = memoryPair();
    return [wrap(a, 1), wrap(b, 2)];
  };
};
for (const [name, framing] of Object.entries({ newline, contentLength }))
  transportSuite(
    `framed by ${name}`,
    both((transport, seed) => framed(transport, framing, { seed })),
    test,
  );
transportSuite(
  "tapped",
  both((transport) => tap(transport, () => {})),
  test,
);
transportSuite(
  "recorded",
  both((transport) => record(transport, () => {})),
  test,
);
transportSuite(
  "delayed",
  both((transport, seed) => faulty(transport, { seed, delay: 0.01, maxDelay: 3 })),
  test,
);

/** The cases that fail for a transport that is not as it should be. */
async function failing(spoil: (transport: Transport) => Transport): Promise<string[]> {
  const runs: Promise<string[]>[] = [];
  transportSuite(
    "bad",
    () => {
      const [a, b] = memoryPair();
      return [spoil(a), b];
    },
    (name, run) => {
      if (name.includes("left behind")) return;
      runs.push(
        run().then(
          () => [],
          (error: unknown) => [`${name.slice(5)}: ${(error as Error).message}`],
        ),
      );
    },
  );
  return (await Promise.all(runs)).flat();
}
const keeping = (transport: Transport): Transport => ({
  open: (receive) => transport.open(receive),
  send: (message) => transport.send(message),
  close: () => transport.close(),
});

describe("what the suite finds", { concurrency: true }, () => {
  test("nothing in a good one", async () => {
    assert.deepEqual(await failing(keeping), []);
  });

  test("messages that overtake each other or arrive twice", async () => {
    const reordered = await failing((transport) => faulty(transport, { seed: 3, reorder: 0.5, maxDelay: 300 }));
    assert.ok(
      reordered.some((each) => each.startsWith("messages arrive as they were sent, in order: Expected message")),
    );
    const doubled = await failing((transport) => ({
      ...keeping(transport),
      send: (message) => {
        void transport.send(message);
        return transport.send(message);
      },
    }));
    assert.ok(doubled.length >= 4, doubled.join("\n"));
  });

  test("serialisation that fails late", async () => {
    const late = await failing((transport) => ({
      ...keeping(transport),
      send: async (message) => transport.send(message),
    }));
    assert.deepEqual(
      late.map((each) => each.split(":")[0]),
      ["a message that can't be serialised throws at once, and the connection lives"],
    );
  });

  test("an open() that settles too early", async () => {
    const early = await failing((transport) => ({
      ...keeping(transport),
      open: async (receive) => void transport.open(receive),
    }));
    assert.ok(early.some((each) => each.startsWith("open() does not settle while the connection lives")));
    assert.ok(
      early.some((each) => each.includes("what arrived after open() had settled")),
      early.join("\n"),
    );
  });

  test("a send() that says nothing after close", async () => {
    const silent = await failing((transport) => {
      let closed = false;
      return {
        ...keeping(transport),
        send: (message) => (closed ? undefined : transport.send(message)),
        close: () => {
          closed = true;
          return transport.close();
        },
      };
    });
    assert.deepEqual(
      silent.map((each) => each.split(":")[0]),
      ["after close send fails and nothing arrives"],
    );
  });
});
