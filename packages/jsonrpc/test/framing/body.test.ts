// What framings of one's own are made with.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { INVALID_REQUEST, PARSE_ERROR } from "@x/jsonrpc";
import { Body, type Frame } from "@x/jsonrpc/framing";
import { bytesOf } from "./decoded.ts";

const seen = (frame: Frame): unknown =>
  typeof frame === "string" ? frame : [frame.error.code, frame.error.message, frame.id, frame.meant];

const why = { code: PARSE_ERROR, message: "Not like this" };

describe("a body", () => {
  test("that is refused in its middle is reported with its id, once, for the first reason", () => {
    for (const [head, tail] of [
      ['{"jsonrpc":"2.0","id":"k","result":"', '"}'],
      ['{"jsonrpc":"2.0","result":"', '","id":"k"}'],
    ])
      for (const length of [0, 100, 300, 5000]) {
        const frames: unknown[] = [];
        const body = new Body((frame) => frames.push(seen(frame)), 1000);
        body.add(bytesOf(`${head}${"x".repeat(length)}`));
        body.refuse(why);
        body.expect(2000);
        body.add(bytesOf(`${"x".repeat(length)}${tail}`));
        body.end();
        body.add(bytesOf("[1]"));
        body.end();
        const first =
          length === 5000 ? [INVALID_REQUEST, "The message is longer than 1000 bytes"] : [why.code, why.message];
        assert.deepEqual(frames, [[...first, "k", "response"], "[1]"], `${head} and ${length}`);
      }
  });

  test("that is refused before anything has come has begun, and one that is empty is a message", () => {
    const frames: unknown[] = [];
    const body = new Body((frame) => frames.push(seen(frame)), 1000);
    assert.equal(body.begun, false);
    body.refuse(why);
    assert.equal(body.begun, true);
    body.end();
    assert.equal(body.begun, false);
    body.end();
    assert.deepEqual(frames, [[why.code, why.message, null, "unknown"], ""]);
  });

  test("that came in one piece leaves nothing behind, whatever it was", () => {
    const frames: unknown[] = [];
    const body = new Body((frame) => frames.push(seen(frame)), 20);
    for (const bytes of [bytesOf("\ufeff[1]"), bytesOf([0xff]), bytesOf(`{"id":7,"method":"long"}`), bytesOf("[2]")])
      body.whole(bytes);
    assert.deepEqual(frames, [
      "[1]",
      [PARSE_ERROR, "Parse error: the message is not valid UTF-8", null, "unknown"],
      [INVALID_REQUEST, "The message is longer than 20 bytes", 7, "request"],
      "[2]",
    ]);
  });
});
