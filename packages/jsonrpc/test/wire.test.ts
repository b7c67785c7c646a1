import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Invalid, type Message, kindOf, parse, preserialize, stringify } from "@x/jsonrpc";
import { rpcService } from "../../../fixtures/rpc-service.ts";
import { bytesInUse } from "../../../fixtures/memory-use.ts";

const reply = (result: unknown, id: string | number | null = 1): Message => ({ jsonrpc: "2.0", id, result });
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const requestOf = (params: string): string => `{"jsonrpc":"2.0","id":7,"method":"echo","params":${params}}`;

describe("parse", () => {
  test("gives a message as it is", () => {
    const message = { jsonrpc: "2.0", id: 1, method: "m", params: { a: [1, null] }, more: true };
    assert.deepEqual(parse(JSON.stringify(message)), message);
  });

  test("gives a batch as an array, whose members kindOf can judge", () => {
    const batch = parse('[1,{"jsonrpc":"2.0","method":"m"},[]]');
    assert.ok(Array.isArray(batch));
    assert.deepEqual(batch.map(kindOf), ["invalid", "notification", "invalid"]);
    assert.deepEqual(parse("[]"), []);
  });

  test("gives -32700 for what is no JSON", () => {
    for (const text of ["", " ", "{", "nul", "{'a':1}", '{"a":1}{"a":2}', "\ufeff1", "NaN", "01", '"\n"', "{}\u0000"]) {
      const invalid = parse(text);
      assert.ok(invalid instanceof Invalid, text);
      assert.equal(invalid.error.code, -32700);
      assert.match(invalid.error.message, /^Parse error: ./);
      assert.equal(invalid.answer?.id, null);
    }
  });

  test("shows little of a long text that is no JSON", () => {
    const invalid = parse(`{"secret":${"x".repeat(1e6)}`);
    assert.ok(invalid instanceof Invalid && invalid.error.message.length < 100);
  });

  test("gives -32600 and the id for JSON that is no message", () => {
    const invalid = parse('{"id":"k","method":"m"}');
    assert.ok(invalid instanceof Invalid);
    assert.deepEqual([invalid.error.code, invalid.id], [-32600, "k"]);
  });

  test("of two members with one name the last counts", () => {
    assert.deepEqual(parse('{"jsonrpc":"1.0","id":1,"id":2,"method":"a","method":"b","jsonrpc":"2.0"}'), {
      jsonrpc: "2.0",
      id: 2,
      method: "b",
    });
  });

  test("__proto__ is a member like any other", () => {
    const message = parse('{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"polluted":1}}}') as Message;
    assert.equal(kindOf(message), "request");
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  test("takes nesting up to 1,000 levels", () => {
    // The message is a level itself.
    assert.equal(kindOf(parse(requestOf(nested(999)))), "request");
    assert.equal(kindOf(parse(requestOf(`[${'{"a":['.repeat(499)}1${"]}".repeat(499)}]`))), "request");
    for (const text of [requestOf(nested(1000)), requestOf(`[${'{"a":['.repeat(500)}1${"]}".repeat(500)}]`)]) {
      const invalid = parse(text);
      assert.ok(invalid instanceof Invalid);
      assert.equal(invalid.error.message, "Invalid Request: nested deeper than 1000 levels");
      assert.deepEqual([invalid.error.code, invalid.id, invalid.meant], [-32600, 7, "request"]);
    }
  });

  test("nesting 100,000 deep is an invalid request, response or batch, not an exhausted stack", () => {
    const deep = nested(100_000);
    for (const [text, id, meant] of [
      [requestOf(deep), 7, "request"],
      [`{"jsonrpc":"2.0","id":8,"result":${deep}}`, 8, "response"],
      [`{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"","data":${deep}}}`, 9, "response"],
      [`[${requestOf(deep)}]`, null, "unknown"],
      [deep, null, "unknown"],
    ] as const) {
      const invalid = parse(text);
      assert.ok(invalid instanceof Invalid);
      assert.deepEqual([invalid.error.code, invalid.id, invalid.meant], [-32600, id, meant]);
    }
    assert.ok(parse("[".repeat(100_000)) instanceof Invalid);
  });

  test("brackets in strings and many shallow members are no nesting", () => {
    for (const params of [
      `["${"[{".repeat(2000)}"]`,
      `["${'\\"[{'.repeat(2000)}"]`,
      `[${"[],".repeat(5000)}{}]`,
      `{"a":${JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ [n]: [n] })))}}`,
    ])
      assert.equal(kindOf(parse(requestOf(params))), "request");
    assert.ok(parse(JSON.stringify("[".repeat(5000))) instanceof Invalid);
  });

  test("a batch of a million costs what its JSON costs", () => {
    const text = `[${"1,".repeat(999_999)}1]`;
    const before = bytesInUse();
    const batch = parse(text);
    assert.ok(Array.isArray(batch) && batch.length === 1_000_000);
    assert.ok(bytesInUse() - before < 32 * 1024 * 1024);
    assert.equal(batch.length, 1_000_000);
  });
});

describe("stringify", () => {
  const messages: readonly Message[] = [
    reply({ a: "é\u2028\n", b: [1, null, true] }),
    reply(null, 'a"b\\\ud800'),
    reply("", null),
    reply(0, 0),
    reply([], ""),
    reply(false, -1.5e-9),
    reply({ toJSON: () => 5 }),
    reply(new Date(0)),
    reply([undefined, () => {}, NaN]),
    { jsonrpc: "2.0", id: null, error: { code: 1, message: "no", data: { a: 1 } } },
    { jsonrpc: "2.0", id: 1, method: "m", params: ["\ud83d", { a: undefined }] },
    { jsonrpc: "2.0", method: "m" },
  ];

  test("gives what JSON.stringify would give", () => {
    for (const message of messages)
      assert.deepEqual(JSON.parse(stringify(message)), JSON.parse(JSON.stringify(message)));
    assert.deepEqual(JSON.parse(stringify(messages)), JSON.parse(JSON.stringify(messages)));
    for (const message of messages)
      assert.deepEqual(JSON.parse(stringify([message, reply(1)])), JSON.parse(JSON.stringify([message, reply(1)])));
    assert.equal(stringify([]), "[]");
  });

  test("a message is one line", () => {
    for (const message of messages) assert.ok(!/[\r\n]/.test(stringify(message)));
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);
  const reason = new RangeError("reason");
  for (const [what, result] of [
    ["undefined", undefined],
    ["a function", () => {}],
    ["a symbol", Symbol("x")],
    ["an object whose toJSON gives undefined", { toJSON: () => undefined }],
    ["a BigInt", 10n],
    ["a BigInt inside", [{ a: 10n }]],
    ["a cycle", cycle],
    ["nesting that exhausts the stack", JSON.parse(nested(100_000))],
    [
      "a toJSON that throws",
      {
        toJSON() {
          throw reason;
        },
      },
    ],
    [
      "a getter that throws no error",
      {
        get a() {
          // oxlint-disable-next-line typescript/only-throw-error
          throw "text";
        },
      },
    ],
  ] as const)
    test(`throws a TypeError for ${what}`, () => {
      assert.throws(() => stringify(reply(result)), TypeError);
      assert.throws(() => stringify([reply(1), reply(result)]), TypeError);
    });

  test("the TypeError is JSON.stringify's own, or its cause is what was thrown", () => {
    assert.throws(() => stringify(reply(10n)), /BigInt/);
    const toJSON = (): never => {
      throw reason;
    };
    assert.throws(() => stringify({ jsonrpc: "2.0", method: "m", params: [{ toJSON }] }), { cause: reason });
  });
});

describe("preserialize", () => {
  test("a result is serialised once, wherever it is sent", () => {
    let times = 0;
    const list = preserialize({ tools: [{ toJSON: () => ++times }] });
    assert.equal(stringify(reply(list)), '{"jsonrpc":"2.0","id":1,"result":{"tools":[1]}}');
    assert.equal(stringify(reply(list, "a")), '{"jsonrpc":"2.0","id":"a","result":{"tools":[1]}}');
    assert.equal(stringify([reply(list), reply(1)]), `[${stringify(reply(list))},${stringify(reply(1))}]`);
    assert.equal(times, 1);
  });

  test("it stays an ordinary object: nothing shows, and a copy is serialised anew", () => {
    const list = preserialize({ a: 1 });
    assert.deepEqual(Object.keys(list), ["a"]);
    assert.equal(JSON.stringify({ list }), '{"list":{"a":1}}');
    assert.equal(stringify(reply({ ...list, b: 2 })), '{"jsonrpc":"2.0","id":1,"result":{"a":1,"b":2}}');
    assert.deepEqual(structuredClone(list), { a: 1 });
  });

  test("what can't be serialised throws at once", () => {
    assert.throws(() => preserialize({ a: 10n }), TypeError);
  });
});

describe("ids that are numbers", () => {
  const service = rpcService();
  const echoed = async (id: string): Promise<string> => {
    const answer = await service.handle(`{"jsonrpc":"2.0","id":${id},"method":"nul"}`);
    return /"id":(.*?),/.exec(answer ?? "")?.[1] ?? "none";
  };

  test("come back as JSON writes them", async () => {
    assert.equal(await echoed("-0"), "0");
    assert.equal(await echoed("1.0"), "1");
    assert.equal(await echoed("1e2"), "100");
    assert.equal(await echoed("0.1"), "0.1");
    assert.equal(await echoed("9007199254740991"), "9007199254740991");
  });

  test("beyond 2^53 come back as the nearest that JavaScript has", async () => {
    assert.equal(await echoed("9007199254740993"), "9007199254740992");
  });

  test("that are too large for a number are refused", async () => {
    const answer = await service.handle('{"jsonrpc":"2.0","id":1e999,"method":"nul"}');
    assert.match(answer ?? "", /"id":null,"error":\{"code":-32600,/);
  });

  test("as strings keep every character, half a surrogate pair too", async () => {
    assert.equal(await echoed('"\\ud800\\u0000\\""'), '"\\ud800\\u0000\\""');
  });
});
