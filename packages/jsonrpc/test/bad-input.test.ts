// What no peer should ever get, through whole peers and services: the right answer, bounded memory, and they live on.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { InvalidResponseError, kindOf, parse } from "@x/jsonrpc";
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";
import * as fc from "fast-check";
import { rpcService } from "../../../fixtures/rpc-service.ts";
import { type Exchange, exchangeOver, vectors } from "../../../fixtures/vectors/run.ts";
import { ByteTransport } from "./byte-transport.ts";
import { bytesInUse } from "../../../fixtures/memory-use.ts";

const MiB = 1024 * 1024;

/** A peer over bytes with the service of the vectors behind it. */
function joined(framing: Framing = newline, maxBytes?: number) {
  const transport = new ByteTransport(framing, maxBytes);
  const reported: string[] = [];
  const peer = rpcService().connect(transport, { onError: (error) => reported.push(String(error)) });
  return { transport, peer, reported };
}

const exchangeWith = (transport: ByteTransport): Exchange =>
  exchangeOver(
    (text) => transport.arrive(text),
    (take) => transport.listen(take),
  );

/** What the peer sends next. */
const nextSent = (transport: ByteTransport): Promise<string> => new Promise((resolve) => transport.listen(resolve));

describe("an answer that is none ends the call that it was meant for, at once", () => {
  const long = "x".repeat(2000);
  for (const [what, answer, message] of [
    [
      "both result and error",
      '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}',
      /expected one of "method", "result" and "error"/,
    ],
    ["neither result nor error", '{"jsonrpc":"2.0","id":1}', /expected one of "method", "result" and "error"/],
    ["an error without a code", '{"jsonrpc":"2.0","id":1,"error":{"message":"no"}}', /integer "code"/],
    ["no version", '{"id":1,"result":1}', /"jsonrpc": "2.0"/],
    [
      "nesting 100,000 deep",
      `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
      /nested deeper than 1000/,
    ],
    ["A07: too many bytes, the id first", `{"jsonrpc":"2.0","id":1,"result":"${long}"}`, /longer than 1000 bytes/],
    ["A07: too many bytes, the id last", `{"jsonrpc":"2.0","result":"${long}","id":1}`, /longer than 1000 bytes/],
  ] as const)
    test(what, async () => {
      for (const framing of [newline, contentLength]) {
        const { transport, peer } = joined(framing, what.startsWith("A07") ? 1000 : undefined);
        const call = peer.request("m");
        transport.arrive(answer);
        await assert.rejects(
          call,
          (error: unknown) => error instanceof InvalidResponseError && message.test(error.message),
        );
        await peer.close();
      }
    });

  test("A13: bytes that are not UTF-8", async () => {
    const { transport, peer } = joined();
    const call = peer.request("m");
    transport.arriveBytes(Buffer.from('{"jsonrpc":"2.0","id":1,"result":"\xff"}\n', "latin1"));
    await assert.rejects(call, /not valid UTF-8/);
    await peer.close();
  });

  test("its id has to be the same, type included", async () => {
    const { transport, peer, reported } = joined();
    const call = peer.request("m");
    transport.arrive('{"jsonrpc":"2.0","id":"1","result":"string"}');
    transport.arrive('{"jsonrpc":"2.0","id":2,"result":"another"}');
    assert.equal(reported.length, 2);
    transport.arrive('{"jsonrpc":"2.0","id":1,"result":"right"}');
    transport.arrive('{"jsonrpc":"2.0","id":1,"result":"twice"}');
    assert.equal(await call, "right");
    assert.equal(reported.length, 3);
    await peer.close();
  });
});

describe("a broken request is answered and ends no call of ours that has the same id", () => {
  for (const [what, request, maxBytes] of [
    ["params that are no structure", '{"jsonrpc":"2.0","id":1,"method":"sum","params":"bar"}'],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"sum","params":[]}'],
    ["too long", `{"jsonrpc":"2.0","id":1,"method":"sum","params":["${"x".repeat(2000)}"]}`, 1000],
    ["too long, the id last", `{"jsonrpc":"2.0","method":"sum","params":["${"x".repeat(2000)}"],"id":1}`, 1000],
    ["nested too deep", `{"jsonrpc":"2.0","id":1,"method":"sum","params":${"[".repeat(2000)}${"]".repeat(2000)}}`],
  ] as const)
    test(what, async () => {
      const { transport, peer } = joined(newline, maxBytes);
      const call = peer.request("m");
      const answer = nextSent(transport);
      transport.arrive(request);
      const failure = JSON.parse(await answer);
      assert.deepEqual([failure.id, failure.error.code], [1, -32600]);
      transport.arrive('{"jsonrpc":"2.0","id":1,"result":"ours"}');
      assert.equal(await call, "ours");
      await peer.close();
    });
});

describe("a lot", () => {
  test("a message of 64 MiB is handled, by a peer in pieces and by a service", async () => {
    const head = '{"jsonrpc":"2.0","id":1,"method":"update","params":["';
    const tail = '"]}';
    const request = `${head}${"x".repeat(64 * MiB - head.length - tail.length)}${tail}`;
    const expected = '{"jsonrpc":"2.0","id":1,"result":null}';
    assert.equal(await rpcService().handle(request), expected);
    for (const framing of [newline, contentLength]) {
      const { transport, peer } = joined(framing);
      const answer = nextSent(transport);
      transport.arrive(request, 16_384);
      assert.equal(await answer, expected);
      await peer.close();
    }
  });

  for (const [what, member] of [
    ["numbers", "1"],
    ["requests", '{"jsonrpc":"2.0","id":1,"method":"nul"}'],
  ] as const)
    test(`a batch of a million ${what} is refused as a whole, and leaves nothing behind`, async () => {
      // In one piece already, or whoever reads it first would seem to keep that.
      const batch = Buffer.from(`[${`${member},`.repeat(999_999)}${member}]`).toString();
      const { transport, peer } = joined();
      const before = bytesInUse();
      const byService = await rpcService({ onError: () => {} }).handle(batch);
      const answer = nextSent(transport);
      transport.arrive(batch, 65_536);
      assert.equal(await answer, byService);
      const { id, error } = JSON.parse(byService ?? "");
      assert.deepEqual([id, error.code], [null, -32600]);
      assert.match(error.message, /a batch of 1000000 messages, at most 1000 are taken/);
      assert.ok(bytesInUse() - before < 4 * MiB);
      await peer.close();
    });
});

/** Texts of messages and batches, sound ones and others. */
const json = fc.json({ maxDepth: 4 });
const member = fc.constantFrom(
  "jsonrpc",
  "id",
  "method",
  "params",
  "result",
  "error",
  "code",
  "message",
  "__proto__",
  "x",
);
const method = fc.constantFrom("subtract", "sum", "echo", "nul", "undef", "boom", "taken", "big", "get_data", "none");
const almost = fc
  .dictionary(member, fc.oneof(fc.constantFrom("2.0", 1, null, [1], {}), method, fc.jsonValue({ maxDepth: 2 })), {
    maxKeys: 6,
  })
  .map((message) => ({ jsonrpc: "2.0", ...message }));
const message = fc.record(
  {
    jsonrpc: fc.constant("2.0"),
    id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    method,
    params: fc.array(fc.integer()),
  },
  { requiredKeys: ["jsonrpc", "method"] },
);
const batch = fc.array(fc.oneof(almost, message, fc.jsonValue({ maxDepth: 1 })), { maxLength: 5 });

/** A text with a piece replaced by another. */
const mutated = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...vectors.map(({ send }) => send)),
      message.map((each) => JSON.stringify(each)),
    ),
    fc.nat(),
    fc.nat(20),
    fc.string({ maxLength: 8, unit: "binary" }),
  )
  .map(([text, at, length, piece]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + piece + text.slice(from + length);
  });

const anyText = fc.oneof(
  json,
  fc.oneof(almost, message, batch).map((value) => JSON.stringify(value)),
  mutated,
  fc.string({ unit: "binary" }),
);

describe("any text", () => {
  const service = rpcService({ onError: () => {} });

  test("is answered by a service with sound responses, or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const answer = await service.handle(text);
        if (answer === undefined) return;
        const responses = [parse(answer)].flat();
        assert.ok(responses.length > 0);
        for (const response of responses) assert.match(kindOf(response), /^(success|failure)$/);
      }),
      { numRuns: 1000 },
    );
  });

  for (const [name, framing] of [
    ["newline", newline],
    ["Content-Length", contentLength],
  ] as const)
    test(`is answered by a peer as it is by a service, and the peer lives on (${name} framing)`, async () => {
      const { transport, peer } = joined(framing);
      const exchange = exchangeWith(transport);
      await fc.assert(
        fc.asyncProperty(anyText, async (given) => {
          // A newline ends a message in one of the framings, and half a surrogate pair has no bytes.
          const text = Buffer.from(given.replaceAll("\n", " ")).toString();
          const alone = text.replace(/^\ufeff/, "");
          if (alone.trim() === "") return;
          assert.equal(await exchange(text), await service.handle(alone));
        }),
        { numRuns: 300 },
      );
      await peer.close();
    });

  test("ends no call in flight that it doesn't name", async () => {
    const transport = new ByteTransport(newline);
    const peer = service.connect(transport, { nextId: () => "ours" });
    await fc.assert(
      fc.asyncProperty(fc.array(anyText, { maxLength: 5 }), async (texts) => {
        const call = peer.request("m");
        for (const text of texts) if (!text.includes("ours")) transport.arrive(text);
        transport.arrive('{"jsonrpc":"2.0","id":"ours","result":1}');
        assert.equal(await call, 1);
      }),
      { numRuns: 300 },
    );
    await peer.close();
  });
});

test("any bytes go through a peer without a throw, and leave nothing behind", async () => {
  const { transport, peer, reported } = joined(newline, 1000);
  const before = bytesInUse();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000, size: "max" }), (bytes) => {
      transport.arriveBytes(bytes, 50);
      reported.length = 0;
    }),
  );
  assert.ok(bytesInUse() - before < 8 * MiB);
  await peer.close();
});
