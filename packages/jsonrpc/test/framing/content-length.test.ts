import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { INVALID_REQUEST, PARSE_ERROR } from "@x/jsonrpc";
import { contentLength } from "@x/jsonrpc/framing";
import { bytesInUse } from "../../../../fixtures/memory-use.ts";
import { bytesOf, chunked, cuts, decode, decodeChunks, invalidIn } from "./decoded.ts";

const MiB = 1024 * 1024;
const broken = (reason: string, id: unknown = null) => ({ code: PARSE_ERROR, message: `Parse error: ${reason}`, id });
const tooLong = (maxBytes: number, id: unknown = null) => ({
  code: INVALID_REQUEST,
  message: `The message is longer than ${maxBytes} bytes`,
  id,
});
const NEXT = 'Content-Length: 6\r\n\r\n"next"';

describe("Content-Length framing", () => {
  test("writes the number of bytes, not of characters", () => {
    for (const body of ["", "{}", "é", "漢", "😀", "a😀é漢", "\ud800", "a\udc00\ud800b", "x".repeat(1025)])
      for (const text of [body, body.repeat(1000)]) {
        const encoded = bytesOf(contentLength.encode(text) as string);
        const length = Buffer.byteLength(text);
        assert.ok(encoded.equals(bytesOf(`Content-Length: ${length}\r\n\r\n${text}`)), JSON.stringify(body));
      }
  });

  test("gives each body", () => {
    const bytes = bytesOf(contentLength.encode('{"a":"é漢😀"}') as string, contentLength.encode("[1]\n") as string);
    assert.deepEqual(decode(contentLength, bytes), ['{"a":"é漢😀"}', "[1]\n"]);
  });

  for (const [what, header] of [
    ["names in any case", "content-LENGTH: 2\r\n\r\n"],
    ["no space after the colon", "Content-Length:2\r\n\r\n"],
    ["white space around the value", "Content-Length \t: \t 2 \t\r\n\r\n"],
    ["leading zeros", "Content-Length: 0002\r\n\r\n"],
    ["plain line feeds", "Content-Length: 2\n\n"],
    ["mixed line ends", "Content-Length: 2\n\r\n"],
    ["a content type behind", "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n"],
    ["a content type before", "Content-Type: application/vscode-jsonrpc;charset=utf8\r\nContent-Length: 2\r\n\r\n"],
    ["a quoted charset", 'Content-Length: 2\r\ncontent-type: a/b; x=y; Charset="UTF-8"\r\n\r\n'],
    ["a content type without charset", "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n"],
    ["unknown fields", "X-Trace: 1\r\nContent-Length: 2\r\nX-Empty:\r\n\r\n"],
    ["the same length twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n"],
    ["empty lines before", "\r\n\n\r\nContent-Length: 2\r\n\r\n"],
    ["a byte order mark before", "\ufeffContent-Length: 2\r\n\r\n"],
  ] as const)
    test(`takes ${what}, wherever the bytes are split`, () => {
      const bytes = bytesOf(`${header}{}${NEXT}`);
      for (const chunks of cuts(bytes)) assert.deepEqual(decodeChunks(contentLength, chunks), ["{}", '"next"']);
    });

  test("white space in a header costs no more than other bytes", () => {
    // With a pattern that tries every way to divide it, each of these takes minutes.
    const space = " ".repeat(8000);
    for (const line of [`a:${space}\rx`, `a:x${space}x`, `a:${space}`, `a${space}x`, `Content-Type:;${space}\rx`]) {
      const frames = decode(contentLength, bytesOf(`${line}\r\nContent-Length: 2\r\n\r\n{}${NEXT}`.repeat(100)));
      assert.equal(frames.filter((frame) => frame === '"next"').length, 100, line.slice(0, 20));
    }
  });

  test("A11: takes a byte order mark off the beginning of a body, and off no other place", () => {
    const bytes = bytesOf(contentLength.encode("\ufeff[1]") as string, contentLength.encode('"\ufeff"') as string);
    for (const chunks of cuts(bytes)) assert.deepEqual(decodeChunks(contentLength, chunks), ["[1]", '"\ufeff"']);
  });

  test("an empty body is a message, if no JSON", () => {
    for (const chunks of cuts(bytesOf(`Content-Length: 0\r\n\r\n${NEXT}`)))
      assert.deepEqual(decodeChunks(contentLength, chunks), ["", '"next"']);
  });

  for (const [what, bytes, reason] of [
    ["a line that is no header", "Starting…\n", 'expected a header such as "Content-Length: 123", got "Starting'],
    [
      "text in front of the header, without a line end",
      "Starting",
      'expected "Content-Length", got "StartingContent-L',
    ],
    ["a header section without Content-Length", "X: 1\r\n\r\n", 'the header section has no "Content-Length"'],
    ["a section with nothing but a content type", "Content-Type: a/b\n\n{}\n", 'the header section has no "Content-L'],
    ["a negative length", "Content-Length: -2\r\n\r\n{}", '"Content-Length" must be a number of bytes, got "-2"'],
    [
      "a length that is no number",
      "Content-Length: two\r\n\r\n{}\r\n",
      '"Content-Length" must be a number of bytes, g',
    ],
    ["no length at all", "Content-Length:\r\n\r\n{}", '"Content-Length" must be a number of bytes, got ""'],
    ["white space for a length", "Content-Length: \r\n\r\n{}", '"Content-Length" must be a number of bytes, got ""'],
    ["a signed length", "Content-Length: +2\r\n\r\n{}", '"Content-Length" must be a number of bytes, got "+2"'],
    ["a fraction", "Content-Length: 2.0\r\n\r\n{}", '"Content-Length" must be a number of bytes, got "2.0"'],
    ["hexadecimal", "Content-Length: 0x2\r\n\r\n{}", '"Content-Length" must be a number of bytes, got "0x2"'],
    [
      "two lengths in one line",
      "Content-Length: 2, 2\r\n\r\n{}",
      '"Content-Length" must be a number of bytes, got "2, ',
    ],
    ["a length that overflows", `Content-Length: ${"9".repeat(30)}\r\n\r\n{}`, '"Content-Length" must be a number of'],
    ["a length beyond 2^53", "Content-Length: 9007199254740993\r\n\r\n{}", '"Content-Length" must be a number of by'],
    ["two different lengths", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", '"Content-Length" is both 2 and 3'],
    [
      "junk behind a length",
      "Content-Length: 2\r\njunk\r\n\r\n{}",
      'expected a header such as "Content-Length: 123", g',
    ],
    ["a body longer than its length says", "", 'expected a header such as "Content-Length: 123", got " }Content'],
    ["a section that is too long", `X: ${"x".repeat(8200)}\r\n\r\n`, "the header section is longer than 8192 bytes"],
    ["a section of too many lines", "X: 1\r\n".repeat(1500), "the header section is longer than 8192 bytes"],
    ["a line without end", "x".repeat(20_000), "the header section is longer than 8192 bytes"],
    [
      "many lines of junk",
      "junk\n\n{}\r\n\r\n".repeat(500),
      'expected a header such as "Content-Length: 123", got "junk"',
    ],
  ] as const)
    test(`${what} is reported once, and the next header is found`, () => {
      const first = what.startsWith("a body") ? "Content-Length: 2\r\n\r\n{} }" : "Content-Length: 2\r\n\r\n{}";
      const all = bytesOf(first, bytes, NEXT, NEXT);
      const several = all.length < 1000 ? cuts(all) : [[all], [...chunked(all, 1)], [...chunked(all, 100)]];
      for (const chunks of several) {
        const [one, report, ...others] = decodeChunks(contentLength, chunks);
        assert.deepEqual([one, ...others], [first.slice(21, 23), '"next"', '"next"']);
        assert.ok(typeof report === "object" && report.code === PARSE_ERROR && report.id === null);
        assert.ok(report.message.startsWith(`Parse error: ${reason}`), report.message);
      }
    });

  test("what is shown of junk is short", () => {
    const [report] = decode(contentLength, bytesOf("junk ".repeat(1000), "\n"));
    assert.ok(typeof report === "object" && report.message.length < 120);
  });

  test("another charset is refused and its body passed over", () => {
    const header = "Content-Length: 2\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n";
    for (const chunks of cuts(bytesOf(header, [0x31, 0], NEXT)))
      assert.deepEqual(decodeChunks(contentLength, chunks), [
        broken('the charset must be utf-8, got "utf-16le"'),
        '"next"',
      ]);
  });

  test("A13: a body that is not UTF-8 is reported, and the next arrives", () => {
    for (const chunks of cuts(bytesOf("Content-Length: 3\r\n\r\n", [0xe6, 0xbc, 0x22], NEXT)))
      assert.deepEqual(decodeChunks(contentLength, chunks), [broken("the message is not valid UTF-8"), '"next"']);
  });

  test("a body that is longer than maxBytes is reported and passed over, and the next arrives", () => {
    const bytes = bytesOf(`Content-Length: 6\r\n\r\n"1234"Content-Length: 7\r\n\r\n"12345"${NEXT}`);
    for (const chunks of cuts(bytes))
      assert.deepEqual(decodeChunks(contentLength, chunks, { maxBytes: 6 }), ['"1234"', tooLong(6), '"next"']);
  });

  test("A07: a body that is too long is reported with its id, as soon as that was read", () => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 5, result: "x".repeat(1000) });
    const last = JSON.stringify({ jsonrpc: "2.0", result: "x".repeat(1000), id: "k" });
    const bytes = bytesOf(contentLength.encode(text) as string, contentLength.encode(last) as string, NEXT);
    for (const size of [1, 10, 5000]) {
      const frames = decodeChunks(contentLength, chunked(bytes, size), { maxBytes: 500 });
      assert.deepEqual(frames, [tooLong(500, 5), tooLong(500, "k"), '"next"']);
    }
    const early = decodeChunks(contentLength, [bytes.subarray(0, 400)], { maxBytes: 500 });
    assert.deepEqual(early, [tooLong(500, 5)], "once, also when the input ends there");
  });

  test("a huge body is passed over without being kept", () => {
    const frames: unknown[] = [];
    const decoder = contentLength.decoder((frame) => frames.push(frame));
    const chunk = Buffer.alloc(MiB, "x");
    const before = bytesInUse();
    decoder.push(bytesOf(`Content-Length: ${300 * MiB}\r\n\r\n`));
    for (let i = 0; i < 300; i++) decoder.push(chunk);
    assert.ok(bytesInUse() - before < MiB);
    decoder.push(bytesOf(NEXT));
    assert.equal(frames.length, 2);
    assert.equal(frames[1], '"next"');
  });

  test("what no string can hold is too long, whatever the limit", () => {
    const start = `Content-Length: 600000000\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"${"x".repeat(300)}`;
    assert.deepEqual(decode(contentLength, bytesOf(start), { maxBytes: Infinity }), [tooLong(2 ** 29 - 24, 1)]);
  });

  test("a length alone reserves nothing", () => {
    const before = bytesInUse();
    const decoders = Array.from({ length: 100 }, () => contentLength.decoder(() => {}));
    for (const decoder of decoders) decoder.push(bytesOf(`Content-Length: ${60 * MiB}\r\n\r\n{`));
    assert.ok(bytesInUse() - before < MiB);
  });

  test("keeps no more than a line's end of junk, however much there is", () => {
    let reports = 0;
    const decoder = contentLength.decoder(() => reports++);
    const junk = Buffer.alloc(MiB, "x");
    const before = bytesInUse();
    for (let i = 0; i < 200; i++) decoder.push(junk);
    assert.ok(bytesInUse() - before < MiB / 2);
    assert.equal(reports, 1);
  });

  test("keeps a body once, in a million pieces as in one", () => {
    let length = 0;
    const decoder = contentLength.decoder((frame) => (length = String(frame).length));
    const byte = bytesOf("x");
    const before = bytesInUse();
    decoder.push(bytesOf(`Content-Length: ${MiB}\r\n\r\n`));
    for (let i = 0; i < MiB - 1; i++) decoder.push(byte);
    assert.ok(bytesInUse() - before < 1.5 * MiB);
    decoder.push(byte);
    assert.equal(length, MiB);
  });

  test("puts a long body together again, characters on the borders of chunks included", () => {
    for (const character of ["x", "é", "漢", "😀"]) {
      const text = `"a${character.repeat(150_000)}"`;
      const bytes = bytesOf(contentLength.encode(text) as string, NEXT);
      for (const size of [4093, 65_536, 262_144, bytes.length]) {
        const [first, second] = decodeChunks(contentLength, chunked(bytes, size));
        assert.ok(first === text && second === '"next"', `${character} in chunks of ${size}`);
      }
    }
  });

  test("says what is missing when the input ends too early", () => {
    const early = 'Content-Length: 20\r\n\r\n{"id":1}';
    assert.deepEqual(decode(contentLength, bytesOf(early)), [
      broken("the input ended 12 bytes before the end of the message", 1),
    ]);
    for (const cut of ["Content-Le", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r"])
      assert.deepEqual(decode(contentLength, bytesOf(cut)), [broken("the input ended within a header section")]);
    assert.deepEqual(decode(contentLength, bytesOf(NEXT, "\r\n")), ['"next"']);
  });

  test("what is no message can be answered, unless it was meant as an answer", () => {
    const request = '{"jsonrpc":"2.0","method":"m","id":1}';
    const response = '{"jsonrpc":"2.0","result":1,"id":1}';
    const [junk, long, answer] = invalidIn(
      contentLength,
      bytesOf("junk\n", contentLength.encode(request) as string, contentLength.encode(response) as string),
      { maxBytes: 10 },
    );
    assert.deepEqual(junk?.answer?.id, null);
    assert.deepEqual(long?.answer?.id, 1);
    assert.deepEqual([answer?.id, answer?.answer], [1, undefined]);
  });
});
