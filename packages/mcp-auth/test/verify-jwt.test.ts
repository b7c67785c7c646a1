import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UnsecuredJWT } from "jose";
import { verifyJwt } from "../src/server/index.ts";
import { Recent } from "../src/server/recent.ts";
import { ask, challengeOf, letIn, request } from "./ask.ts";
import { type Signer, signer } from "./keys.ts";
import { site } from "./site.ts";

const ISSUER = "https://as.example.com";
const AUDIENCE = "https://mcp.example.com/mcp";
const METADATA = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

const good = { iss: ISSUER, aud: AUDIENCE, sub: "alice", client_id: "desk", scope: "a b" };
const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

async function protectedBy(...signers: Signer[]) {
  return verifyJwt({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: signers.map(({ jwk }) => ({ ...jwk })) } });
}

describe("verifyJwt", () => {
  test("AUTH-76, AUTH-78: a good token is let in, and says who it is", async () => {
    const key = await signer("one");
    const verdict = await ask(await protectedBy(key), await key.sign(good));
    letIn(verdict);
    const { principal, issuer, subject, clientId, scopes, expiresAt = 0, claims } = verdict;
    assert.deepEqual(
      { principal, issuer, subject, clientId, scopes },
      { principal: "alice", issuer: ISSUER, subject: "alice", clientId: "desk", scopes: ["a", "b"] },
    );
    assert.ok(expiresAt > Date.now() && expiresAt <= Date.now() + 60_000);
    assert.equal(claims["iss"], ISSUER);
  });

  test("the names that other providers have for claims are known", async () => {
    const key = await signer("one");
    const { scope: _scope, client_id: _client, ...rest } = good;
    for (const [claims, scopes, clientId] of [
      [{ scp: ["a", "b"], cid: "desk" }, ["a", "b"], "desk"],
      [{ scp: "a b", azp: "desk" }, ["a", "b"], "desk"],
      [{}, [], undefined],
    ] as const) {
      const verdict = await ask(await protectedBy(key), await key.sign({ ...rest, ...claims }));
      letIn(verdict);
      assert.deepEqual([verdict.scopes, verdict.clientId], [scopes, clientId]);
    }
  });

  test("a client that acts for itself is no person of the same name", async () => {
    const key = await signer("one");
    for (const sub of [undefined, "alice"]) {
      const verdict = await ask(await protectedBy(key), await key.sign({ ...good, sub, client_id: "alice" }));
      letIn(verdict);
      assert.equal(verdict.principal, "client:alice");
    }
  });

  test("a token that was good is not good for longer than it says", async () => {
    const key = await signer("one");
    const protection = await protectedBy(key);
    const token = await key.sign({ ...good, exp: seconds(-29) });
    letIn(await ask(protection, token));
    letIn(await ask(protection, token));
    await new Promise((resolve) => setTimeout(resolve, 2100));
    assert.match(challengeOf(await ask(protection, token)) ?? "", /The token has expired/);
  });

  test("verdicts are kept for some tokens, not for all that ever came", () => {
    const recent = new Recent<number>();
    for (let count = 0; count < 3000; count++) recent.set(`token-${count}`, count);
    const kept = Array.from({ length: 3000 }, (_, count) => recent.get(`token-${count}`)).filter(
      (each) => each !== undefined,
    );
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [1000, 2000, 2999]);
  });

  for (const [what, claims, description] of [
    ["another audience", { aud: "https://other.example.com" }, "The token has a wrong 'aud'"],
    ["an audience that only begins alike", { aud: `${AUDIENCE}/x` }, "The token has a wrong 'aud'"],
    ["no audience", { aud: undefined }, "The token has no 'aud'"],
    ["another issuer", { iss: `${ISSUER}/` }, "The token has a wrong 'iss'"],
    ["no issuer", { iss: undefined }, "The token has no 'iss'"],
    ["an end that is past", { exp: seconds(-60) }, "The token has expired"],
    ["no end", { exp: undefined }, "The token has no 'exp'"],
    ["a beginning to come", { nbf: seconds(60) }, "The token has a wrong 'nbf'"],
  ] as const)
    test(`AUTH-78, AUTH-79, AUTH-81, SEC-25, L17: a token with ${what} gets 401, and is told`, async () => {
      const key = await signer("one");
      const header = challengeOf(await ask(await protectedBy(key), await key.sign({ ...good, ...claims })));
      assert.equal(header, `Bearer error="invalid_token", error_description="${description}", ${METADATA}`);
    });

  test("clocks may differ by half a minute", async () => {
    const key = await signer("one");
    for (const claims of [{ exp: seconds(-20) }, { nbf: seconds(20) }])
      letIn(await ask(await protectedBy(key), await key.sign({ ...good, ...claims })));
  });

  test("AEXT-06: a signature of somebody else, or none, gets 401", async () => {
    const [key, other] = [await signer("one"), await signer("one")];
    const protection = await protectedBy(key);
    const signed = await key.sign(good);
    const [head = "", body = "", signature = ""] = signed.split(".");
    const admin = Buffer.from(JSON.stringify({ ...good, sub: "admin", exp: seconds(60) })).toString("base64url");
    for (const token of [
      await other.sign(good),
      await (await signer("two")).sign(good),
      new UnsecuredJWT({ ...good, exp: seconds(60) }).encode(),
      `${head}.${admin}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      "opaque",
    ])
      assert.match(
        challengeOf(await ask(protection, token)) ?? "",
        /^Bearer error="invalid_token", error_description="T/,
      );
  });

  test("a shared secret is no key: whoever checks tokens with it could make them", async () => {
    const key = await signer("one");
    const { SignJWT } = await import("jose");
    const secret = new TextEncoder().encode(JSON.stringify(key.jwk));
    const token = await new SignJWT(good)
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .setExpirationTime("1m")
      .sign(secret);
    assert.match(challengeOf(await ask(await protectedBy(key), token)) ?? "", /algorithm is not allowed/);
  });

  test("algorithms can be fewer", async () => {
    const key = await signer("one");
    const jwks = { keys: [{ ...key.jwk }] };
    const protection = verifyJwt({ issuer: ISSUER, audience: AUDIENCE, jwks, algorithms: ["RS256"] });
    assert.match(challengeOf(await ask(protection, await key.sign(good))) ?? "", /algorithm is not allowed/);
  });
});

describe("the keys", () => {
  test("are found by the issuer's metadata, asked for once, and again for a key that is new", async (t) => {
    const [one, two] = [await signer("one"), await signer("two")];
    let keys = [one.jwk];
    const issuer = await site(t, ({ path }) => {
      if (path === "/.well-known/openid-configuration")
        return {
          body: { issuer: issuer.origin, token_endpoint: `${issuer.origin}/token`, jwks_uri: `${issuer.origin}/keys` },
        };
      return path === "/keys" ? { body: { keys } } : undefined;
    });
    const protection = verifyJwt({ issuer: issuer.origin, audience: AUDIENCE });
    const claims = { ...good, iss: issuer.origin };
    const token = await one.sign(claims);
    const verdicts = await Promise.all(Array.from({ length: 10 }, () => ask(protection, token)));
    for (const verdict of verdicts) letIn(verdict);
    assert.deepEqual(issuer.paths(), [
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration",
      "/keys",
    ]);
    keys = [one.jwk, two.jwk];
    assert.match(challengeOf(await ask(protection, await two.sign(claims))) ?? "", /no key that fits/);
    assert.equal(issuer.paths().length, 3, "not asked for again within half a minute, whoever makes up keys");
  });

  test("that can't be had are no fault of the token", async (t) => {
    const key = await signer("one");
    let ill = true;
    const issuer = await site(t, ({ path }) => {
      if (ill) return { status: 500 };
      return path === "/keys" ? { body: { keys: [key.jwk] } } : undefined;
    });
    const token = await key.sign({ ...good, iss: issuer.origin });
    for (const jwks of [undefined, `${issuer.origin}/keys`]) {
      const protection = verifyJwt({ issuer: issuer.origin, audience: AUDIENCE, jwks });
      await assert.rejects(ask(protection, token));
    }
    ill = false;
    letIn(
      await ask(
        verifyJwt({ issuer: issuer.origin, audience: AUDIENCE, jwks: new URL(`${issuer.origin}/keys`) }),
        token,
      ),
    );
  });

  test("whoever makes up keys does not have an issuer that is ill asked for each of them", async (t) => {
    let metadata = 500;
    const issuer = await site(t, ({ path }) =>
      path === "/.well-known/oauth-authorization-server" && metadata === 200
        ? {
            body: {
              issuer: issuer.origin,
              token_endpoint: `${issuer.origin}/token`,
              jwks_uri: `${issuer.origin}/keys`,
            },
          }
        : { status: 500 },
    );
    const protection = verifyJwt({ issuer: issuer.origin, audience: AUDIENCE });
    const flood = async (): Promise<void> => {
      for (let count = 0; count < 10; count++)
        await assert.rejects(ask(protection, await (await signer(`made up ${count}`)).sign(good)));
    };
    await flood();
    assert.equal(issuer.paths().length, 1);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    metadata = 200;
    await flood();
    assert.deepEqual(issuer.paths().slice(1), ["/.well-known/oauth-authorization-server", "/keys"]);
  });

  for (const [jwks_uri, problem] of [
    ["http://as.example.com/keys", /expected "https:", got "http:"$/],
    ["https://10.0.0.1/keys", /expected a public host, got a private one; the option "jwks" lets it be asked$/],
    ["keys", /expected a URL, got "keys"$/],
  ] as const)
    test(`SEC-13, SEC-14: are not fetched from ${jwks_uri}`, async () => {
      const asked: string[] = [];
      const fetch = async (address: string | URL | Request): Promise<Response> => {
        asked.push(String(address));
        return Response.json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token`, jwks_uri });
      };
      const token = await (await signer("one")).sign(good);
      await assert.rejects(ask(verifyJwt({ issuer: ISSUER, audience: AUDIENCE, fetch }), token), { message: problem });
      assert.deepEqual(asked, [`${ISSUER}/.well-known/oauth-authorization-server`]);
    });
});

describe("a resource and its audience", () => {
  test("may differ", async () => {
    const key = await signer("one");
    const jwks = { keys: [{ ...key.jwk }] };
    const protection = verifyJwt({ issuer: ISSUER, audience: ["api://office", "x"], resource: AUDIENCE, jwks });
    letIn(await ask(protection, await key.sign({ ...good, aud: ["y", "api://office"] })));
    assert.equal(protection.document["resource"], AUDIENCE);
    assert.throws(() => verifyJwt({ issuer: ISSUER, audience: "api://office", jwks }), TypeError);
  });

  test("a token is in the header alone", async () => {
    const key = await signer("one");
    const { verify } = await protectedBy(key);
    const token = await key.sign(good);
    assert.equal(
      challengeOf(await verify(request({}, `/mcp?access_token=${token}`))),
      `Bearer error="invalid_request", error_description="A token must not be in the query", ${METADATA}`,
    );
  });
});
