import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { challengeIn, parseChallenges } from "../src/challenge.ts";

const parsed = (header: string): unknown =>
  parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

for (const [header, expected] of [
  ["Bearer", [["bearer", {}]]],
  ['Bearer realm="x"', [["bearer", { realm: "x" }]]],
  ['bearer  Scope="a b" , ERROR=invalid_token', [["bearer", { scope: "a b", error: "invalid_token" }]]],
  ['Bearer realm="a \\"quoted\\", and = b", scope="c"', [["bearer", { realm: 'a "quoted", and = b', scope: "c" }]]],
  [
    'Basic realm="x", Bearer scope="a", DPoP algs="ES256"',
    [
      ["basic", { realm: "x" }],
      ["bearer", { scope: "a" }],
      ["dpop", { algs: "ES256" }],
    ],
  ],
  [
    "Negotiate YII=, Bearer",
    [
      ["negotiate", {}],
      ["bearer", {}],
    ],
  ],
  [
    "Negotiate, Basic",
    [
      ["negotiate", {}],
      ["basic", {}],
    ],
  ],
  [
    "Bearer resource_metadata=https://a.example/x?y=z, scope=a",
    [["bearer", { resource_metadata: "https://a.example/x?y=z", scope: "a" }]],
  ],
  ['Bearer scope = "a"', [["bearer", { scope: "a" }]]],
  ['Bearer scope="a", scope="b"', [["bearer", { scope: "a" }]]],
  ['Bearer scope="a', [["bearer", {}]]],
  ["", []],
  [", ,", []],
] as const)
  test(`AUTH-18: ${header}`, () => assert.deepEqual(parsed(header), expected));

test("AUTH-18: the challenges that are for us are one", () => {
  const response = new Response(null, {
    status: 401,
    headers: { "WWW-Authenticate": 'Basic scope="no", Bearer scope="a", DPoP error="use_dpop_nonce", scope="b"' },
  });
  assert.deepEqual(challengeIn(response), {
    oauth: true,
    dpop: true,
    resourceMetadata: undefined,
    scope: "a",
    error: "use_dpop_nonce",
  });
});

test("any header is read without an error, and what was written comes back", () => {
  const token = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/);
  const value = fc.stringMatching(/^[\x20-\x7e]{0,20}$/);
  const challenge = fc.tuple(
    token,
    fc.uniqueArray(fc.tuple(token, value), { selector: ([name]) => name, maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(challenge, { minLength: 1, maxLength: 4 }), (challenges) => {
      const header = challenges
        .map(
          ([scheme, pairs]) =>
            `${scheme} ${pairs.map(([name, text]) => `${name}="${text.replace(/["\\]/g, "\\$&")}"`).join(", ")}`,
        )
        .join(", ");
      assert.deepEqual(
        parsed(header),
        challenges.map(([scheme, pairs]) => [scheme, Object.fromEntries(pairs)]),
      );
    }),
  );
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (header) => Array.isArray(parseChallenges(header))));
});
