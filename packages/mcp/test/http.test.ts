import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { McpServer } from "@x/mcp/server";
import { revisions } from "@x/mcp";
import { ClientHttp, decodeHeader, encodeHeader, mirrorFault, mirrorHeaders, mirroredParameters } from "@x/mcp/http";
import { scripted } from "./joined.ts";
import { assert as check, property, string as anyString } from "fast-check";

describe("header values", () => {
  for (const [value, header] of [
    ["us-west1", "us-west1"],
    ["us west 1", "us west 1"],
    ["", ""],
    [42, "42"],
    [-7, "-7"],
    [true, "true"],
    [false, "false"],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
    ["\tindented", "=?base64?CWluZGVudGVk?="],
    ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["=?BASE64?literal?=", "=?BASE64?literal?="],
    ["=?base64?literal", "=?base64?literal"],
  ] as const)
    test(`ENC-02 ENC-03 ENC-04 ENC-05 ENC-08 ENC-09: ${JSON.stringify(value)}`, () => {
      assert.equal(encodeHeader(value), header);
      assert.equal(decodeHeader(header), String(value));
    });

  for (const [header, value] of [
    ["SGVsbG8=", "SGVsbG8="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["=?base64??=", ""],
    ["inner\ttab", "inner\ttab"],
    ["  blanks  ", "blanks"],
    ["=?base64?SGVsbG8?=", undefined],
    ["=?base64?SGVs!!!bG8=?=", undefined],
    ["=?base64?//8=?=", undefined],
    ["h\u00e9", undefined],
    ["a\u0001b", undefined],
    ["=?base64?=", "=?base64?="],
  ] as const)
    test(`ENC-06 ENC-07 ENC-10 HDR-17: ${JSON.stringify(header)} is read as ${JSON.stringify(value)}`, () => {
      assert.equal(decodeHeader(header), value);
    });

  test("ENC-01: any text comes back, and no header holds more than one line of ASCII", () => {
    check(
      property(anyString({ unit: "binary" }), (text) => {
        const header = encodeHeader(text);
        assert.match(header, /^[\x20-\x7e]*$/);
        assert.equal(header, header.trim());
        assert.equal(decodeHeader(header), new TextDecoder().decode(new TextEncoder().encode(text)));
      }),
    );
  });
});

const string = (name: unknown): object => ({ type: "string", "x-mcp-header": name });
const schema = (properties: object, more: object = {}): { readonly [keyword: string]: unknown } => ({
  type: "object",
  properties,
  ...more,
});

describe("x-mcp-header", () => {
  test("XMH-01 XMH-09 XMH-14: properties at any depth, whatever their header is called", () => {
    const nested = schema({ zone: string("Zone") });
    const found = mirroredParameters(schema({ region: string("Region"), where: nested, method: string("Method") }));
    assert.deepEqual(found, [
      { header: "mcp-param-region", path: ["region"] },
      { header: "mcp-param-zone", path: ["where", "zone"] },
      { header: "mcp-param-method", path: ["method"] },
    ]);
  });

  test("a schema without any mirrors nothing, and data is no schema", () => {
    assert.deepEqual(mirroredParameters({ type: "object" }), []);
    assert.deepEqual(
      mirroredParameters(schema({ a: { default: { "x-mcp-header": 1 }, enum: [{ "x-mcp-header": "" }] } })),
      [],
    );
  });

  const bad: [string, { readonly [keyword: string]: unknown }][] = [
    ["XMH-03: empty", schema({ a: string("") })],
    ["XMH-04: a space", schema({ a: string("A B") })],
    ["XMH-04: a colon", schema({ a: string("A:B") })],
    ["XMH-04: not ASCII", schema({ a: string("Ä") })],
    ["XMH-05: a line break", schema({ a: string("A\r\nB") })],
    ["XMH-05: a tab", schema({ a: string("A\t") })],
    ["XMH-04: no string", schema({ a: string(7) })],
    ["XMH-06: twice, but for the case", schema({ a: string("Region"), b: string("REGION") })],
    ["XMH-07: on a number", schema({ a: { type: "number", "x-mcp-header": "A" } })],
    ["XMH-07: on an array", schema({ a: { type: "array", "x-mcp-header": "A" } })],
    ["XMH-07: on an object", schema({ a: { type: "object", "x-mcp-header": "A" } })],
    ["XMH-07: on null", schema({ a: { type: "null", "x-mcp-header": "A" } })],
    ["XMH-07: on no type", schema({ a: { "x-mcp-header": "A" } })],
    ["XMH-09: on the root", { type: "object", "x-mcp-header": "A" }],
    ["XMH-10: in items", schema({ a: { type: "array", items: string("A") } })],
    ["XMH-10: in properties of items", schema({ a: { type: "array", items: schema({ b: string("A") }) } })],
    ["XMH-10: in anyOf", schema({ a: { anyOf: [string("A")] } })],
    ["XMH-10: in allOf of the root", schema({}, { allOf: [schema({ a: string("A") })] })],
    ["XMH-10: in else", schema({}, { if: {}, else: schema({ a: string("A") }) })],
    ["XMH-10: in not", schema({}, { not: schema({ a: string("A") }) })],
    ["XMH-10: in $defs", schema({}, { $defs: { a: string("A") } })],
  ];
  for (const [what, json] of bad)
    test(what, () => {
      assert.throws(() => mirroredParameters(json), /^TypeError: x-mcp-header/);
      const server = new McpServer({ name: "s", version: "1" });
      assert.throws(() => server.tool("bad", { input: json }, () => ""), /^TypeError: tool "bad": /);
    });

  const parameters = mirroredParameters(
    schema({
      region: string("Region"),
      count: { type: ["integer", "null"], "x-mcp-header": "Count" },
      dry: { type: "boolean", "x-mcp-header": "Dry" },
      where: schema({ zone: string("Zone") }),
    }),
  );

  test("XMH-16 XMH-17: values at their paths, none for what is absent or null", () => {
    assert.deepEqual(mirrorHeaders(parameters, { region: "ü", count: 42, dry: false, where: { zone: "" } }), {
      "mcp-param-region": "=?base64?w7w=?=",
      "mcp-param-count": "42",
      "mcp-param-dry": "false",
      "mcp-param-zone": "",
    });
    assert.deepEqual(mirrorHeaders(parameters, { region: null, where: "text", count: undefined }), {});
    assert.deepEqual(mirrorHeaders(parameters, undefined), {});
    assert.deepEqual(mirrorHeaders([{ header: "x", path: ["__proto__", "y"] }], {}), {});
  });

  const fault = (args: object, headers: { readonly [name: string]: string }): string | undefined =>
    mirrorFault(parameters, args, (name) => headers[name]);

  test("XMH-18 XMH-19 XMH-20 XMH-21 HDR-18: headers have to say what the body says", () => {
    const good = { "mcp-param-region": "a", "mcp-param-count": "42.0", "mcp-param-dry": "true" };
    const args = { region: "a", count: 42, dry: true };
    assert.equal(fault(args, good), undefined);
    assert.equal(fault({}, {}), undefined);
    assert.equal(fault({ region: null }, {}), undefined);
    assert.match(fault(args, {}) ?? "", /^mcp-param-region is missing; it must mirror the argument region$/);
    assert.match(fault(args, { ...good, "mcp-param-region": "b" }) ?? "", /does not mirror the argument region/);
    assert.match(fault(args, { ...good, "mcp-param-region": "=?base64?YQ?=" }) ?? "", /not allowed/);
    assert.match(fault(args, { ...good, "mcp-param-region": "\u00ff" }) ?? "", /not allowed/);
    assert.match(fault(args, { ...good, "mcp-param-count": "43" }) ?? "", /does not mirror/);
    assert.match(fault({ ...args, count: 0 }, { ...good, "mcp-param-count": "" }) ?? "", /does not mirror/);
    assert.match(fault(args, { ...good, "mcp-param-dry": "True" }) ?? "", /does not mirror/);
    assert.match(
      fault(args, { ...good, "mcp-param-zone": "z" }) ?? "",
      /^mcp-param-zone is set, but the argument where.zone is not$/,
    );
  });

  test("XMH-08: integers that are exact", () => {
    const max = Number.MAX_SAFE_INTEGER;
    assert.equal(fault({ count: max }, { "mcp-param-count": String(max) }), undefined);
    assert.deepEqual(mirrorHeaders(parameters, { count: max + 1 }), {});
  });
});

test("HDR-10: what is asked of a task names it", () => {
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    const message = { jsonrpc: "2.0", id: 1, method, params: { taskId: "task-7", _meta } } as const;
    assert.deepEqual(new ClientHttp(revisions).headers(message), {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": "task-7",
    });
  }
});

test("a list with what is no tool goes to whoever has asked", () => {
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
  const request = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta } } as const;
  const answer = { jsonrpc: "2.0", id: 1, result: { tools: [null, 5, { name: "real", inputSchema: {} }] } } as const;
  assert.deepEqual(new ClientHttp(revisions).answered(request, answer), answer);
});

test("XMH-13: without HTTP a tool whose marks break the rules is kept", async () => {
  const tool = { name: "odd", inputSchema: schema({ a: string("") }) };
  const { client } = await scripted("2026-07-28", { tools: {} }, { "tools/list": () => ({ tools: [tool], ttlMs: 0 }) });
  assert.deepEqual((await client.listTools()).items, [tool]);
  await client.close();
});
