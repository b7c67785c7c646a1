import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { INVALID_REQUEST, PARSE_ERROR } from "@x/jsonrpc";
import { newline } from "@x/jsonrpc/framing";
import { bytesInUse } from "../../../../fixtures/memory-use.ts";
import { bytesOf, chunked, cuts, decode, decodeChunks, invalidIn } from "./decoded.ts";

const BOM = [0xef, 0xbb, 0xbf];
const MiB = 1024 * 1024;
const notUtf8 = { code: PARSE_ERROR, message: "Parse error: the message is not valid UTF-8", id: null };
const tooLong = (maxBytes: number, id: unknown = null) => ({
  code: INVALID_REQUEST,
  message: `The message is longer than ${maxBytes} bytes`,
  id,
});

describe("newline framing", () => {
  test("writes a message and a newline", () => {
    assert.equal(newline.encode('{"a":"é"}'), '{"a":"é"}\n');
  });

  test("gives each line, also the last without a newline", () => {
    assert.deepEqual(decode(newline, bytesOf('{"a":1}\n[2]\n3')), ['{"a":1}', "[2]", "3"]);
  });

  test("passes over empty lines and lines of white space", () => {
    assert.deepEqual(decode(newline, bytesOf("\n\r\n  \t \n1\n\n\n2\r\n\n")), ["1", "2\r"]);
  });

  test("cuts at line feeds alone: U+2028, U+2029, U+0085 and \\r may stand in a message", () => {
    const text = '{"a":"\u2028\u2029\u0085"\r}';
    assert.deepEqual(decode(newline, bytesOf(`${text}\n`)), [text]);
  });

  test("A11: takes a byte order mark off the beginning of any line, and off no other place", () => {
    const bytes = bytesOf(BOM, '{"a":"\ufeff"}\r\n', BOM, "1\n", BOM, "\n", BOM, "2");
    assert.deepEqual(decode(newline, bytes), ['{"a":"\ufeff"}\r', "1", "2"]);
  });

  test("gives the same wherever the bytes are split", () => {
    const bytes = bytesOf(BOM, '{"a":"é漢😀\u2028"}\r\n\r\n', BOM, "[1]\n \n", [0xff, 0xfe, 10], '"x"\n', "last");
    const whole = decode(newline, bytes);
    assert.deepEqual(whole, ['{"a":"é漢😀\u2028"}\r', "[1]", notUtf8, '"x"', "last"]);
    for (const chunks of cuts(bytes)) assert.deepEqual(decodeChunks(newline, chunks), whole);
  });

  test("A13: bytes that are not UTF-8 spoil their own line only", () => {
    const broken = [[0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe6, 0xbc], [0x80]];
    for (const bytes of broken)
      assert.deepEqual(decode(newline, bytesOf("1\n", bytes, "\n2\n")), ["1", notUtf8, "2"], String(bytes));
  });

  test("A13: the call that a broken line was meant for can be told", () => {
    const [invalid] = invalidIn(newline, bytesOf('{"jsonrpc":"2.0","id":7,"result":"', [0xff], '"}\n'));
    assert.equal(invalid?.id, 7);
    assert.equal(invalid?.answer, undefined);
  });

  describe("a line that is longer than maxBytes", () => {
    test("is reported and passed over, and the next arrives", () => {
      const bytes = bytesOf(`1\n"${"x".repeat(99)}"\n2\n`);
      for (const chunks of cuts(bytes))
        assert.deepEqual(decodeChunks(newline, chunks, { maxBytes: 100 }), ["1", tooLong(100), "2"]);
    });

    test("starts with the first byte over the limit", () => {
      assert.deepEqual(decode(newline, bytesOf("12345\n12345"), { maxBytes: 5 }), ["12345", "12345"]);
      assert.deepEqual(decode(newline, bytesOf("123456\n12\n123456"), { maxBytes: 5 }), [tooLong(5), "12", tooLong(5)]);
      assert.deepEqual(decode(newline, bytesOf("é€\né€1"), { maxBytes: 5 }), ["é€", tooLong(5)]);
    });

    const long = "x".repeat(1000);
    for (const [where, text, id, meant] of [
      ["first", `{"id":5,"jsonrpc":"2.0","result":"${long}"}`, 5, "response"],
      ["second", `{"jsonrpc":"2.0","id":"k","result":{"id":6,"text":"${long}"}}`, "k", "response"],
      ["after the method", `{"jsonrpc": "2.0", "method": "echo", "id": -3, "params": ["${long}"]}`, -3, "request"],
      ["last in a response", `{"jsonrpc":"2.0","result":{"id":6,"text":"${long}"},"id":9}`, 9, "response"],
      ["last in a request", `{"jsonrpc":"2.0","method":"echo","params":["${long}"],"id":"a-b"}\r`, "a-b", "request"],
      ["last, after an error", `{"error":{"code":1,"message":"${long}"},"id":0}`, 0, "response"],
      ["in the middle", `{"result":"${long}","id":1,"more":"${long}"}`, null, "response"],
      ["last, after params", `{"jsonrpc":"2.0","params":["${long}"],"method":"m","id":5}`, 5, "request"],
      ["in a nested object alone", `{"jsonrpc":"2.0","method":"m","params":{"a":"${long}","id":1}}`, null, "request"],
      ["in a batch", `[{"jsonrpc":"2.0","id":1,"result":"${long}"}]`, null, "unknown"],
      ["last, after a long method", `{"jsonrpc":"2.0","method":"${long}","id":1}`, 1, "request"],
      ["with an escape", `{"id":"\\u0041","result":"${long}"}`, null, "unknown"],
      ["that JSON doesn't allow", `{"id":"\u0001","result":"${long}"}`, null, "unknown"],
      ["with leading zeros", `{"id":007,"result":"${long}"}`, 7, "response"],
      [
        "behind what was kept",
        `{"jsonrpc":"2.0","${"y".repeat(222)}":1,"id":12345678901234567,"result":1}`,
        null,
        "unknown",
      ],
    ] as const)
      test(`A07: is reported with the id that can be found: ${where}`, () => {
        for (const size of [1, 7, 5000]) {
          const frames = decodeChunks(newline, chunked(bytesOf(`${text}\n1\n`), size), { maxBytes: 250 });
          assert.deepEqual(frames, [tooLong(250, id), "1"], `in chunks of ${size}`);
        }
        assert.equal(invalidIn(newline, bytesOf(text), { maxBytes: 250 })[0]?.meant, meant);
      });

    test("A07: is reported with its id wherever what is kept of its beginning ends", () => {
      for (let length = 180; length < 270; length++) {
        const text = JSON.stringify({ jsonrpc: "2.0", method: "m".repeat(length), id: 12345 });
        for (const size of [1, 100, 5000]) {
          const frames = decodeChunks(newline, chunked(bytesOf(text), size), { maxBytes: 100 });
          assert.deepEqual(frames, [tooLong(100, 12345)], `${length} characters in chunks of ${size}`);
        }
      }
    });

    test("A07: is reported before its end, which may never come, when its id is at its beginning", () => {
      const frames: unknown[] = [];
      const decoder = newline.decoder((frame) => frames.push(frame), { maxBytes: 300 });
      decoder.push(bytesOf(`{"jsonrpc":"2.0","id":1,"result":"${long}`));
      assert.equal(frames.length, 1);
      decoder.push(bytesOf(`${long}"}\n2\n{"jsonrpc":"2.0","id":3,"result":"${long}`));
      assert.equal(frames[1], "2");
      assert.equal(frames.length, 3, "each time");
      decoder.end();
      assert.equal(frames.length, 3, "and once");
    });
  });

  const KiB256 = 262_144;

  test("A07: an id at the end is found where what was kept so far ends within it", () => {
    const bytes = bytesOf(`{"jsonrpc":"2.0","result":"${"x".repeat(KiB256 + 5 - 36)}","id":9}\n`);
    assert.equal(bytes.length, KiB256 + 6);
    for (const chunks of [[bytes], [bytes.subarray(0, KiB256), ...chunked(bytes.subarray(KiB256), 1)]]) {
      const frames = decodeChunks(newline, chunks, { maxBytes: KiB256 + 2 });
      assert.deepEqual(frames, [tooLong(KiB256 + 2, 9)]);
    }
  });

  test("a line that is too long and not UTF-8 is too long, wherever the bytes are split", () => {
    const bytes = bytesOf('{"id":1,"result":"', [0xff], "x".repeat(2 * KiB256), '"}\n2\n');
    for (const size of [16_384, bytes.length])
      assert.deepEqual(decodeChunks(newline, chunked(bytes, size), { maxBytes: 300_000 }), [tooLong(300_000, 1), "2"]);
  });

  test("keeps nothing between two lines", () => {
    const before = bytesInUse();
    const decoders = Array.from({ length: 50 }, () => newline.decoder(() => {}));
    for (const decoder of decoders) {
      for (const chunk of chunked(Buffer.alloc(KiB256 + 1, "x"), 16_384)) decoder.push(chunk);
      decoder.push(bytesOf("\n"));
    }
    assert.ok(bytesInUse() - before < MiB);
    assert.equal(decoders.length, 50);
  });

  test("keeps what one line may have and a little more, however long the line goes on", () => {
    const decoder = newline.decoder(() => assert.fail("the line has no end"), { maxBytes: MiB });
    const chunk = Buffer.alloc(64 * 1024, "x");
    const before = bytesInUse();
    for (let pushed = 0; pushed < 256 * MiB; pushed += chunk.length) decoder.push(chunk);
    assert.ok(bytesInUse() - before < 2 * MiB);
  });

  test("keeps a line once, in a million pieces as in one", () => {
    let length = 0;
    const decoder = newline.decoder((frame) => (length = String(frame).length), { maxBytes: MiB });
    const byte = bytesOf("x");
    const before = bytesInUse();
    for (let i = 0; i < MiB; i++) decoder.push(byte);
    assert.ok(bytesInUse() - before < 1.5 * MiB);
    decoder.push(bytesOf("\n"));
    assert.equal(length, MiB);
  });

  test("puts a long line together again, characters on the borders of chunks included", () => {
    for (const character of ["x", "é", "漢", "😀"])
      for (const before of ["", "a", "aa", "aaa"]) {
        const text = `"${before}${character.repeat(150_000)}"`;
        const bytes = bytesOf(`${text}\n1\n`);
        for (const size of [4093, 262_144])
          assert.ok(decodeChunks(newline, chunked(bytes, size))[0] === text, `${character} in chunks of ${size}`);
      }
  });

  test("a long line that stops being UTF-8 is reported at its end, with its id", () => {
    const bytes = bytesOf('{"id":1,"result":"', "x".repeat(MiB), [0xff], "x".repeat(MiB), '"}\n2\n');
    for (const size of [65_536, bytes.length])
      assert.deepEqual(decodeChunks(newline, chunked(bytes, size)), [{ ...notUtf8, id: 1 }, "2"]);
  });

  test("a limit beyond the longest string is that, and so is one that is no number", () => {
    for (const maxBytes of [Infinity, Number.NaN])
      assert.deepEqual(decodeChunks(newline, chunked(bytesOf("12\n3\n"), 1), { maxBytes }), ["12", "3"]);
  });
});
