import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  Invalid,
  type Kind,
  isFailure,
  isNotification,
  isRequest,
  isResponse,
  isSuccess,
  reasonFor,
  kindOf,
  parse,
  stringify,
} from "@x/jsonrpc";
import { rpcService } from "../../../fixtures/rpc-service.ts";

const version = { jsonrpc: "2.0" };
const error = { code: -32000, message: "no" };

const rows: readonly [what: string, value: unknown, kind: Kind, reason?: string][] = [
  ["a request", { ...version, id: 1, method: "m" }, "request"],
  ["the id 0", { ...version, id: 0, method: "m" }, "request"],
  ["an empty id", { ...version, id: "", method: "m", params: [] }, "request"],
  ["the id null", { ...version, id: null, method: "m", params: {} }, "request"],
  ["a fraction as id", { ...version, id: -1.5, method: "m" }, "request"],
  ["an empty method", { ...version, id: 1, method: "" }, "request"],
  ["a method named __proto__", { ...version, id: 1, method: "__proto__" }, "request"],
  ["B06: unknown members", { ...version, id: 1, method: "m", more: 1, _meta: {} }, "request"],
  ["a request with a result", { ...version, id: 1, method: "m", result: 1 }, "request"],
  ["a notification", { ...version, method: "m", params: [1] }, "notification"],
  ["an id of undefined", { ...version, id: undefined, method: "m" }, "notification"],
  ["a result", { ...version, id: 1, result: {} }, "success"],
  ["a result of null", { ...version, id: null, result: null }, "success"],
  ["a result of false", { ...version, id: "a", result: false }, "success"],
  ["B06: a result with unknown members", { ...version, id: 1, result: 1, resultType: "x", _meta: {} }, "success"],
  ["an error", { ...version, id: 1, error }, "failure"],
  ["an error with data", { ...version, id: 1, error: { ...error, data: null, more: 1 } }, "failure"],
  ["an error without an id", { ...version, error }, "failure"],
  ["an error with the id null", { ...version, id: null, error }, "failure"],

  ["a number", 1, "invalid", "expected an object, got a number"],
  ["a string", "x", "invalid", "expected an object, got a string"],
  ["null", null, "invalid", "expected an object, got null"],
  ["nothing", undefined, "invalid", "expected an object, got nothing"],
  ["an array", [], "invalid", "expected an object, got an array"],
  ["an empty object", {}, "invalid", 'expected "jsonrpc": "2.0"'],
  ["version 1.0", { jsonrpc: "1.0", id: 1, method: "m" }, "invalid", 'expected "jsonrpc": "2.0"'],
  ["the version as a number", { jsonrpc: 2, id: 1, method: "m" }, "invalid", 'expected "jsonrpc": "2.0"'],
  ["no method", { ...version, id: 1 }, "invalid", 'expected one of "method", "result" and "error"'],
  ["B10: no method but params", { ...version, id: 1, params: [] }, "invalid", 'expected one of "method", "result" and'],
  ["a method of null", { ...version, id: 1, method: null }, "invalid", '"method" must be a string, got null'],
  ["a number as method", { ...version, method: 1 }, "invalid", '"method" must be a string, got a number'],
  ["params of null", { ...version, id: 1, method: "m", params: null }, "invalid", '"params" must be an object or an'],
  [
    "a string as params",
    { ...version, method: "m", params: "bar" },
    "invalid",
    '"params" must be an object or an array, g',
  ],
  [
    "the id true",
    { ...version, id: true, method: "m" },
    "invalid",
    '"id" must be a string, a number or null, got a bool',
  ],
  [
    "an object as id",
    { ...version, id: {}, method: "m" },
    "invalid",
    '"id" must be a string, a number or null, got an o',
  ],
  ["NaN as id", { ...version, id: NaN, method: "m" }, "invalid", '"id" must be a string, a number or null, got NaN'],
  [
    "Infinity as id",
    { ...version, id: Infinity, method: "m" },
    "invalid",
    '"id" must be a string, a number or null, got Infinity',
  ],
  [
    "a BigInt as id",
    { ...version, id: 1n, method: "m" },
    "invalid",
    '"id" must be a string, a number or null, got a bigi',
  ],
  [
    "result and error",
    { ...version, id: 1, result: 1, error },
    "invalid",
    'expected one of "method", "result" and "error"',
  ],
  ["a result without id", { ...version, result: 1 }, "invalid", '"id" must be a string, a number or null, got nothing'],
  [
    "a result with the id []",
    { ...version, id: [], result: 1 },
    "invalid",
    '"id" must be a string, a number or null, ',
  ],
  [
    "an error with the id {}",
    { ...version, id: {}, error },
    "invalid",
    '"id" must be a string, a number or null, got an',
  ],
  [
    "an error of null",
    { ...version, id: 1, error: null },
    "invalid",
    'an "error" needs an integer "code" and a string',
  ],
  ["an error that is a string", { ...version, id: 1, error: "no" }, "invalid", 'an "error" needs an integer "code"'],
  [
    "a fraction as code",
    { ...version, id: 1, error: { code: 1.5, message: "" } },
    "invalid",
    'an "error" needs an int',
  ],
  ["a string as code", { ...version, id: 1, error: { code: "1", message: "" } }, "invalid", 'an "error" needs an inte'],
  [
    "no message",
    { ...version, id: 1, error: { code: 1 } },
    "invalid",
    'an "error" needs an integer "code" and a string',
  ],
  ["an own __proto__", JSON.parse('{"__proto__":{"jsonrpc":"2.0","method":"m"}}'), "invalid", 'expected "jsonrpc": "2'],
];

describe("kindOf", () => {
  for (const [what, value, kind, reason] of rows)
    test(`${what}: ${kind}`, () => {
      assert.equal(kindOf(value), kind);
      assert.deepEqual(
        [isRequest(value), isNotification(value), isSuccess(value), isFailure(value), isResponse(value)],
        [kind === "request", kind === "notification", kind === "success", kind === "failure", /ss|fa/.test(kind)],
      );
      if (reason === undefined) return;
      assert.match(Invalid.of(value, reasonFor(value)).error.message, startingWith(`Invalid Request: ${reason}`));
    });
});

const about = ({ id, meant, answer, error: { code } }: Invalid): unknown[] => [code, id, meant, answer?.id];

/** A pattern for a text that begins like this. */
const startingWith = (text: string): RegExp => new RegExp(`^${text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")}`);

describe("Invalid", () => {
  test("echoes an id that could be read", () => {
    assert.deepEqual(about(Invalid.of({ id: 7, method: "m" })), [-32600, 7, "request", 7]);
    assert.deepEqual(about(Invalid.of({ ...version, id: "a", params: [] })), [-32600, "a", "unknown", "a"]);
    assert.deepEqual(about(Invalid.of({ id: [7], method: 1 })), [-32600, null, "request", null]);
    assert.deepEqual(about(Invalid.of([{ id: 7 }])), [-32600, null, "unknown", null]);
  });

  test("has no answer for what was meant as an answer", () => {
    assert.deepEqual(about(Invalid.of({ ...version, id: 7, result: 1, error })), [-32600, 7, "response", undefined]);
    assert.deepEqual(about(Invalid.of({ id: 7, error: null })), [-32600, 7, "response", undefined]);
    assert.deepEqual(about(Invalid.of({ id: 7, method: "m", result: 1 })), [-32600, 7, "request", 7]);
  });

  test("of an Invalid is the same", () => {
    const invalid = Invalid.of(1);
    assert.equal(Invalid.of(invalid), invalid);
    assert.equal(kindOf(invalid), "invalid");
  });

  test("of a frame says what is known", () => {
    assert.deepEqual(about(new Invalid("too long")), [-32600, null, "unknown", null]);
    const known = new Invalid("too long", { id: 1, meant: "response", code: -32700 });
    assert.deepEqual(about(known), [-32700, 1, "response", undefined]);
    assert.deepEqual(new Invalid("no", { id: 1 }).answer, {
      ...version,
      id: 1,
      error: { code: -32600, message: "no" },
    });
  });

  test("its answer is a message like any other", () => {
    for (const [, value, kind] of rows) {
      const answer = kind === "invalid" ? Invalid.of(value).answer : undefined;
      if (answer) assert.equal(kindOf(parse(stringify(answer))), "failure");
    }
  });
});

function faultOf(text: string): unknown {
  const message = parse(text);
  return message instanceof Invalid ? [message.error.message, message.id, message.meant] : undefined;
}

test("members on a polluted Object.prototype are nobody's", async () => {
  const texts = [
    '{"jsonrpc":"2.0","id":1,"method":"echo"}',
    '{"jsonrpc":"2.0","method":"echo"}',
    '{"jsonrpc":"2.0","id":1,"result":1}',
    '{"jsonrpc":"2.0","error":{"code":1,"message":""}}',
    '{"id":1,"method":"echo"}',
    '{"jsonrpc":"2.0","id":1}',
    "{}",
  ];
  const service = rpcService();
  const kinds = texts.map((text) => kindOf(JSON.parse(text)));
  const reasons = texts.map(faultOf);
  const replies = await Promise.all(texts.map((text) => service.handle(text)));
  const everyone = Object.prototype as unknown as { [name: string]: unknown };
  for (const value of [1, "m", null, ["polluted"], { code: 1, message: "polluted" }])
    for (const name of ["jsonrpc", "id", "method", "params", "result", "error"]) {
      Object.defineProperty(everyone, name, { value, configurable: true, enumerable: true });
      try {
        assert.deepEqual(
          texts.map((text) => kindOf(JSON.parse(text))),
          kinds,
          name,
        );
        assert.deepEqual(texts.map(faultOf), reasons, name);
        const answers = texts.map((text) => service.handle(text));
        delete everyone[name];
        assert.deepEqual(await Promise.all(answers), replies, name);
      } finally {
        delete everyone[name];
      }
    }
});
