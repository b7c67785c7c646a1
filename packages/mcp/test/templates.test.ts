import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { type TemplateValue, expandTemplate } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { matcherOf } from "../src/uri-template/match.ts";
import { parseTemplate } from "../src/uri-template/template.ts";

const match = (template: string, uri: string): unknown => matcherOf(parseTemplate(template))(uri);

const values: { readonly [name: string]: TemplateValue } = {
  room: "A301",
  greeting: "Good day!",
  half: "50%",
  path: "/plans/2026",
  empty: "",
  floors: ["1", "2", "3"],
  nothing: [],
  seats: { rows: "4", columns: "6" },
  none: {},
  port: 80,
  open: true,
  city: "Zürich",
  undefined,
  null: null,
};

const expansions: readonly (readonly [template: string, uri: string])[] = [
  ["plain", "plain"],
  ["{room}", "A301"],
  ["{greeting}", "Good%20day%21"],
  ["{half}", "50%25"],
  ["{city}", "Z%C3%BCrich"],
  ["{port}{open}", "80true"],
  ["o{empty}x", "ox"],
  ["o{undefined}{null}{missing}x", "ox"],
  ["{room,port}", "A301,80"],
  ["{room,undefined,port}", "A301,80"],
  ["{room:2}", "A3"],
  ["{room:99}", "A301"],
  ["{floors}", "1,2,3"],
  ["{floors*}", "1,2,3"],
  ["{seats}", "rows,4,columns,6"],
  ["{seats*}", "rows=4,columns=6"],
  ["{nothing}{none}", ""],
  ["{+greeting}", "Good%20day!"],
  ["{+half}", "50%25"],
  ["{+path}/x", "/plans/2026/x"],
  ["{+path:6}/x", "/plans/x"],
  ["{+path,room}", "/plans/2026,A301"],
  ["{+seats*}", "rows=4,columns=6"],
  ["{#path}", "#/plans/2026"],
  ["{#floors}", "#1,2,3"],
  ["x{#undefined}", "x"],
  ["x{#empty}", "x#"],
  ["x{.room,port}", "x.A301.80"],
  ["x{.floors}", "x.1,2,3"],
  ["x{.floors*}", "x.1.2.3"],
  ["x{.seats*}", "x.rows=4.columns=6"],
  ["x{.empty}", "x."],
  ["{/room,port}", "/A301/80"],
  ["{/floors}", "/1,2,3"],
  ["{/floors*,port}", "/1/2/3/80"],
  ["{/seats*}", "/rows=4/columns=6"],
  ["{/room:1,path}", "/A/%2Fplans%2F2026"],
  ["{;room,empty}", ";room=A301;empty"],
  ["{;floors*}", ";floors=1;floors=2;floors=3"],
  ["{;seats*}", ";rows=4;columns=6"],
  ["{?room,empty}", "?room=A301&empty="],
  ["{?floors}", "?floors=1,2,3"],
  ["{?floors*}", "?floors=1&floors=2&floors=3"],
  ["{?seats*}", "?rows=4&columns=6"],
  ["{?undefined}", ""],
  ["?fixed=yes{&room}", "?fixed=yes&room=A301"],
  ["{&floors*}", "&floors=1&floors=2&floors=3"],
  ["über/{room}", "%C3%BCber/A301"],
  ["{+ipv6}", ""],
];

describe("expandTemplate", () => {
  for (const [template, uri] of expansions)
    test(`${template} is ${uri}`, () => assert.equal(expandTemplate(template, values), uri));

  test("+ and # leave what is encoded already, and brackets", () => {
    assert.equal(expandTemplate("{+a}{#a}", { a: "%41%zz[::1]" }), "%41%25zz[::1]#%41%25zz[::1]");
    assert.equal(expandTemplate("{a}", { a: "%41[" }), "%2541%5B");
  });

  test("a prefix counts characters, not halves of them", () =>
    assert.equal(expandTemplate("{a:1}", { a: "😀x" }), "%F0%9F%98%80"));

  test("inherited members are no values", () => assert.equal(expandTemplate("{constructor}{toString}", {}), ""));

  for (const wrong of ["{", "a}b", "{}", "{a", "{a b}", "{a,}", "{!a}", "{a*:3}", "{a:0}", "{a{b}}", "{+}", "{a.}"])
    test(`${wrong} is a TypeError`, () =>
      assert.throws(() => expandTemplate(wrong, {}), { name: "TypeError", message: /URI template/ }));
});

const matches: readonly (readonly [template: string, uri: string, values: object | undefined])[] = [
  ["rooms:{id}", "rooms:A301", { id: "A301" }],
  ["rooms:{id}", "rooms:", undefined],
  ["rooms:{id}", "rooms:A/1", undefined],
  ["rooms:{id}", "rooms:A%2F1", { id: "A/1" }],
  ["rooms:{id}", "rooms:A?x", undefined],
  ["rooms:{id}", "rooms:A#x", undefined],
  ["rooms:{id}", "rooms:Z%C3%BCrich", { id: "Zürich" }],
  ["rooms:{id}", "rooms:%zz", undefined],
  ["rooms:{id}", "rooms:%C3", undefined],
  ["rooms:{id}", "Rooms:A", undefined],
  ["rooms:{id}/plan", "rooms:A/plan", { id: "A" }],
  ["rooms:{id}/plan", "rooms:A/plan/", undefined],
  ["rooms:{a}-{b}", "rooms:1-2-3", { a: "1", b: "2-3" }],
  ["rooms:{a,b}", "rooms:1,2", { a: "1", b: "2" }],
  ["rooms:{a,b}", "rooms:1", undefined],
  ["rooms:{all*}", "rooms:1,2%2C,3", { all: ["1", "2,", "3"] }],
  ["rooms:{id:2}", "rooms:A3", { id: "A3" }],
  ["rooms:{id:2}", "rooms:A30", undefined],
  // I04
  ["dom://{id}{?sel,attrs}", "dom://x", { id: "x" }],
  ["dom://{id}{?sel,attrs}", "dom://x?", { id: "x" }],
  ["dom://{id}{?sel,attrs}", "dom://x?attrs=1", { id: "x", attrs: "1" }],
  ["dom://{id}{?sel,attrs}", "dom://x?attrs=1&sel=a%20b", { id: "x", sel: "a b", attrs: "1" }],
  ["dom://{id}{?sel,attrs}", "dom://x?sel=a=b", { id: "x", sel: "a=b" }],
  ["dom://{id}{?sel,attrs}", "dom://x?sel", { id: "x", sel: "" }],
  ["dom://{id}{?sel,attrs}", "dom://x?other=1", undefined],
  ["dom://{id}{?sel,attrs}", "dom://x?sel=1&sel=2", undefined],
  ["dom://{id}{?sel,attrs}", "dom://x/y?sel=1", undefined],
  ["dom://{id}{?tags*}", "dom://x?tags=1&tags=2", { id: "x", tags: ["1", "2"] }],
  ["dom:x?fixed=1{&more}", "dom:x?fixed=1&more=2", { more: "2" }],
  ["dom:x?fixed=1{&more}", "dom:x?fixed=1", {}],
  ["dom:{id}{;v,w}/z", "dom:x;w=1;v/z", { id: "x", w: "1", v: "" }],
  ["file://{/path*}", "file:///a/b%2Fc/d", { path: ["a", "b/c", "d"] }],
  ["file://{/path*}", "file://", {}],
  ["file://{/path*}{.ext}", "file:///a.b/c.txt", { path: ["a.b", "c"], ext: "txt" }],
  ["file://{/a,b}", "file:///1/2", { a: "1", b: "2" }],
  ["file://{/a,b}", "file:///1", { a: "1" }],
  ["v{.labels*}", "v.1.2", { labels: ["1", "2"] }],
  ["x:{id}{#part}", "x:1#a/b?c", { id: "1", part: "a/b?c" }],
  ["x:{id}{#part}", "x:1", { id: "1" }],
  ["web:{+url}", "web:https://x.example/a?b=c#d", { url: "https://x.example/a?b=c#d" }],
  ["web:{+path}/meta", "web:a/meta/b/meta", { path: "a/meta/b" }],
  ["web:{+a}-{b}", "web:x-y/z-w", { a: "x-y/z", b: "w" }],
  ["web:{+path}{?q}", "web:a/b?q=1", { path: "a/b", q: "1" }],
  // RES-31
  ["file:///{+path}", "file:///a/../../etc/passwd", undefined],
  ["file:///{+path}", "file:///..", undefined],
  ["file:///{+path}", "file:///a%2F..%2Fb", undefined],
  ["file:///{name}", "file:///..%2F..%2Fetc%2Fpasswd", undefined],
  ["file:///{name}", "file:///%2e%2e", undefined],
  ["file:///{name}", "file:///..%5Cx", undefined],
  ["file://{/path*}", "file:///a/../b", undefined],
  ["file:///{+path}", "file:///a..b/...", { path: "a..b/..." }],
  ["find:{?q}", "find:?q=..%2Fx", { q: "../x" }],
];

describe("matching", () => {
  for (const [template, uri, expected] of matches)
    test(`${template} and ${uri} (RES-28)`, () => assert.deepEqual(match(template, uri), expected));

  test("__proto__ is a value like others", () => {
    const found = match("x:{__proto__}", "x:1") as object;
    assert.deepEqual(Object.entries(found), [["__proto__", "1"]]);
    assert.equal(Object.getPrototypeOf(found), Object.prototype);
  });

  test("finds again what was expanded, whatever the values (I04)", () => {
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((value) => isWellFormed(value) && !value.includes(".."));
    const fields = fc.record({
      id: text,
      path: fc.array(text, { minLength: 1, maxLength: 4 }),
      from: text,
      tags: fc.array(text, { minLength: 1, maxLength: 4 }),
      part: text,
    });
    const template = "office://rooms/{id}/plan{/path*}{?from,tags*}{#part}";
    fc.assert(
      fc.property(fields, (given) => {
        // What # leaves as it is may hold what looks encoded.
        fc.pre(!given.part.includes("%"));
        assert.deepEqual(match(template, expandTemplate(template, given)), { ...given });
      }),
    );
  });

  test("takes any text for a URI and never throws (RES-28)", () => {
    const templates = ["x:{a}", "x:{+a}{b}", "x{/a*}{?b*}{#c}", "{a,b}{.c}{;d}", "{+a}"].map((template) =>
      matcherOf(parseTemplate(template)),
    );
    const text = fc.string({
      unit: fc.constantFrom("x", ":", "/", "?", "#", "&", "=", ";", ".", ",", "%", "4", "1", "é", "\ud800"),
    });
    fc.assert(fc.property(text, (uri) => templates.every((matcher) => typeof matcher(`x:${uri}`) !== "string")));
  });

  // A matcher that went back and forth would still be at it long after us.
  const long = 50_000;
  const hostile = [
    "/a,".repeat(long / 3),
    ",".repeat(long),
    "/".repeat(long),
    "q=&".repeat(long / 3),
    "%2F".repeat(long / 3),
    "-".repeat(long),
  ];
  for (const template of [
    "x:{/path*}",
    "x:{?q*}",
    "x:{/path*}{?q*}!",
    "x:{+a}-{+b}-{+c}-{+d}!",
    "x:{a}{b}{c}{d}{e}!",
    "x:{/a*}{/b*}{/c*}{/d*}!",
  ])
    test(`${template} is done with 50 kB of anything (I05)`, { timeout: 20_000 }, () => {
      const matcher = matcherOf(parseTemplate(template));
      for (const tail of hostile) for (const first of ["", "?"]) matcher(`x:${first}${tail}`);
    });

  test("a URI beyond 65,536 characters is no match (I05)", () => {
    assert.equal(match("x:{+a}", `x:${"a".repeat(65_535)}`), undefined);
    assert.notEqual(match("x:{+a}", `x:${"a".repeat(65_534)}`), undefined);
  });
});

test("variables are typed by the template's text", () => {
  const server = new McpServer({ name: "types", version: "1.0.0" });
  server.resource("a:{id}{?day,tags*}{/path*}{+rest}{n:3}", { complete: { id: () => [], day: () => [] } }, (found) => {
    const { id, rest, n }: { id: string; rest: string; n: string } = found;
    const day: string | undefined = found.day;
    const lists: (readonly string[] | undefined)[] = [found.tags, found.path];
    // @ts-expect-error: it may be missing
    const wrong: string = found.day;
    // @ts-expect-error: there is no such variable
    return [id, rest, n, day, lists, wrong, found.other].join("");
  });
  // @ts-expect-error: nothing to complete in a resource
  server.resource("a:b", { complete: { id: () => [] } }, () => "");
  // @ts-expect-error: no such variable
  server.resource("a:c/{id}", { complete: { other: () => [] } }, () => "");
  const dynamic: string = "b:{id}";
  server.resource(dynamic, {}, ({ id }) => String(id));
});

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udfff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""));
