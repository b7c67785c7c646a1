// Properties of both framings, over streams that nobody would think of.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";
import * as fc from "fast-check";
import { type Seen, bytesOf, decode, decodeChunks } from "./decoded.ts";

const MAX_BYTES = 300;

/** Messages of any kind, some too long, some with an id at either end. */
const text = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: "grapheme" }).map((value) => JSON.stringify(value)),
  fc
    .record({
      jsonrpc: fc.constant("2.0"),
      id: fc.oneof(fc.integer(), fc.string()),
      result: fc.string({ maxLength: 400 }),
    })
    .map((message) => JSON.stringify(message)),
  fc
    .record({ method: fc.string(), params: fc.string({ maxLength: 400, unit: "binary" }), id: fc.nat() })
    .map((message) => JSON.stringify(message)),
);

const junk = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => [...bytes]),
  fc.constantFrom(
    "\n",
    "\r\n",
    "\r\n\r\n",
    "\ufeff",
    "Content-Length: ",
    "Content-Length: -1\r\n\r\n",
    "junk\n",
    "X: 1\r\n",
  ),
  fc.constantFrom("Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "{}Content-Length: 2\r\n\r\n", "x".repeat(500)),
  fc.nat({ max: 600 }).map((length) => `Content-Length: ${length}\r\n\r\n`),
  fc.constantFrom([0xef, 0xbb, 0xbf], [0xf0, 0x9f, 0x98], [0x80], [0xff, 0xfe]),
);

const streamOf = (framing: Framing): fc.Arbitrary<Uint8Array> =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: text.map((value) => framing.encode(value) as string) }, junk), {
      maxLength: 8,
    })
    .map((parts) => bytesOf(...parts));

/** Sizes of chunks, used in turn. */
const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 12 });

function* chunksOf(bytes: Uint8Array, inTurn: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = inTurn[turn % inTurn.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

for (const [name, framing] of [
  ["newline", newline],
  ["Content-Length", contentLength],
] as const)
  describe(`${name} framing, for any bytes`, () => {
    const options = { maxBytes: MAX_BYTES };

    test("what was written arrives, in order, however it is split", () => {
      fc.assert(
        fc.property(fc.array(text, { maxLength: 8 }), sizes, (texts, inTurn) => {
          const bytes = bytesOf(...texts.map((value) => framing.encode(value) as string));
          assert.deepEqual(decodeChunks(framing, chunksOf(bytes, inTurn)), texts);
        }),
      );
    });

    test("the same bytes give the same frames, however they are split", () => {
      fc.assert(
        fc.property(streamOf(framing), sizes, (bytes, inTurn) => {
          assert.deepEqual(decodeChunks(framing, chunksOf(bytes, inTurn), options), decode(framing, bytes, options));
        }),
        { numRuns: 1000 },
      );
    });

    test("bytes from nowhere never throw", () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 1000, size: "max" }), sizes, (bytes, inTurn) => {
          const frames = decodeChunks(framing, chunksOf(bytes, inTurn), options);
          assert.ok(frames.every(isSound));
        }),
      );
    });

    test("after anything at all, what is in sync again is read", () => {
      fc.assert(
        fc.property(fc.array(junk), sizes, (parts, inTurn) => {
          // Longer than any length that junk may have announced.
          const bytes = bytesOf(
            ...parts,
            "\n".repeat(1000),
            framing.encode('"one"') as string,
            framing.encode('"two"') as string,
          );
          const frames = decodeChunks(framing, chunksOf(bytes, inTurn), options);
          assert.deepEqual(frames.slice(-2), ['"one"', '"two"']);
        }),
      );
    });
  });

const isSound = (frame: Seen): boolean =>
  typeof frame === "string" ? Buffer.byteLength(frame) <= MAX_BYTES : frame.code === -32700 || frame.code === -32600;
