import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { verifyJwt } from "../src/server/index.ts";
import { challengeOf, letIn, request } from "./ask.ts";
import { type Signer, signer } from "./keys.ts";

const ISSUER = "https://as.example.com";
const RESOURCE = "https://mcp.example.com/mcp";

/** Somebody with a token that is bound to a key, and the means to prove it. */
async function holder(issuer: Signer) {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const token = await issuer.sign({
    iss: ISSUER,
    aud: RESOURCE,
    sub: "alice",
    cnf: { jkt: await calculateJwkThumbprint(jwk) },
  });
  const claims = (): { [claim: string]: unknown } => ({
    jti: randomUUID(),
    htm: "POST",
    htu: RESOURCE,
    iat: Math.floor(Date.now() / 1000),
    ath: createHash("sha256").update(token).digest("base64url"),
  });
  const prove = (change: object = {}, header: object = {}): Promise<string> =>
    new SignJWT({ ...claims(), ...change })
      .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk, ...header })
      .sign(privateKey);
  return { token, prove };
}

async function guarded(dpop?: boolean) {
  const issuer = await signer("one");
  const protection = verifyJwt({
    issuer: ISSUER,
    audience: RESOURCE,
    jwks: { keys: [{ ...issuer.jwk }] },
    ...(dpop && { dpop }),
  });
  const show = (scheme: string, token: string, proof?: string, target = "/mcp") =>
    protection.verify(
      request({ authorization: `${scheme} ${token}`, ...(proof !== undefined && { dpop: proof }) }, target),
    );
  return { issuer, protection, show };
}

describe("tokens that are bound to a key (RFC 9449)", () => {
  test("are let in with a proof, each proof once", async () => {
    const { issuer, show } = await guarded();
    const { token, prove } = await holder(issuer);
    const proof = await prove();
    letIn(await show("DPoP", token, proof, "/mcp?x=1"));
    assert.match(
      challengeOf(await show("DPoP", token, proof)) ?? "",
      /^DPoP error="invalid_dpop_proof", error_description="The proof was used before"/,
    );
    letIn(await show("dpop", token, await prove()));
  });

  for (const [what, change, header, fault] of [
    ["another method", { htm: "GET" }, {}, "The proof is for another method"],
    ["another address", { htu: "https://mcp.example.com/other" }, {}, "The proof is for another address"],
    ["another origin", { htu: "https://evil.example.com/mcp" }, {}, "The proof is for another address"],
    ["no address", { htu: "x" }, {}, "The proof is for another address"],
    ["another token", { ath: "x" }, {}, "The proof is for another token"],
    ["no id", { jti: undefined }, {}, "The proof was used before"],
    ["an old time", { iat: Math.floor(Date.now() / 1000) - 400 }, {}, "The proof is not valid, or too old"],
    ["a time to come", { iat: Math.floor(Date.now() / 1000) + 400 }, {}, "The proof is not valid, or too old"],
    ["no time", { iat: undefined }, {}, "The proof is not valid, or too old"],
    ["another type", {}, { typ: "JWT" }, "The proof is not valid, or too old"],
    ["no key", {}, { jwk: undefined }, "The proof is not valid, or too old"],
  ] as const)
    test(`a proof with ${what} is refused`, async () => {
      const { issuer, show } = await guarded();
      const { token, prove } = await holder(issuer);
      const header401 = challengeOf(await show("DPoP", token, await prove(change, header))) ?? "";
      assert.ok(header401.startsWith(`DPoP error="invalid_dpop_proof", error_description="${fault}"`), header401);
    });

  test("a proof with somebody else's key, or none at all, is refused", async () => {
    const { issuer, show } = await guarded();
    const [alice, mallory] = [await holder(issuer), await holder(issuer)];
    const ath = createHash("sha256").update(alice.token).digest("base64url");
    assert.match(
      challengeOf(await show("DPoP", alice.token, await mallory.prove({ ath }))) ?? "",
      /made with another key/,
    );
    assert.match(challengeOf(await show("DPoP", alice.token)) ?? "", /The proof is missing/);
    assert.match(challengeOf(await show("DPoP", alice.token, "x.y.z")) ?? "", /not valid/);
    assert.match(
      challengeOf(await show("DPoP", alice.token, `${await alice.prove()}, ${await alice.prove()}`)) ?? "",
      /not valid/,
    );
  });

  test("a stolen token is no use as a bearer token", async () => {
    const { issuer, show } = await guarded();
    const { token } = await holder(issuer);
    assert.match(
      challengeOf(await show("Bearer", token)) ?? "",
      /^Bearer error="invalid_token", error_description="The token is bound to a key/,
    );
  });

  test("a server can take no others", async () => {
    const { issuer, show, protection } = await guarded(true);
    const bearer = await issuer.sign({ iss: ISSUER, aud: RESOURCE, sub: "alice" });
    assert.match(
      challengeOf(await show("Bearer", bearer)) ?? "",
      /^DPoP error="invalid_token", error_description="Expected a token that is bound to a key"/,
    );
    assert.match(challengeOf(await show("DPoP", bearer)) ?? "", /Expected a token that is bound to a key/);
    assert.match(challengeOf(await protection.verify(request())) ?? "", /^DPoP resource_metadata=/);
    assert.equal(protection.document["dpop_bound_access_tokens_required"], true);
    const { token, prove } = await holder(issuer);
    letIn(await show("DPoP", token, await prove()));
  });
});
