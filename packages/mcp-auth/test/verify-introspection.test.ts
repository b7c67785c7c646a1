import assert from "node:assert/strict";
import { type TestContext, describe, test } from "node:test";
import { type IntrospectionOptions, verifyIntrospection } from "../src/server/index.ts";
import { ask, challengeOf, letIn } from "./ask.ts";
import { Issuer } from "./issuer.ts";

const AUDIENCE = "https://mcp.example.com/mcp";

/** An issuer that answers questions about tokens in this way. */
async function introspecting(t: TestContext, answer: unknown, status = 200, more: Partial<IntrospectionOptions> = {}) {
  const metadata: { introspection_endpoint?: string } = {};
  const issuer = await Issuer.start(t, {
    metadata,
    first: ({ path }) => (path === "/introspect" ? { status, body: answer } : undefined),
  });
  metadata.introspection_endpoint = `${issuer.site.origin}/introspect`;
  const client = { id: "office", secret: "s3cret" };
  const protection = verifyIntrospection({ issuer: issuer.issuer, audience: AUDIENCE, client, ...more });
  return { issuer, protection, questions: () => issuer.site.requests.filter(({ path }) => path === "/introspect") };
}

const ACTIVE = {
  active: true,
  aud: AUDIENCE,
  sub: "alice",
  client_id: "desk",
  scope: "a",
  exp: Math.floor(Date.now() / 1000) + 60,
};

describe("verifyIntrospection", () => {
  test("AUTH-78: the issuer says who it is, and is shown who asks", async (t) => {
    const { protection, questions } = await introspecting(t, ACTIVE);
    const verdict = await ask(protection, "opaque");
    letIn(verdict);
    assert.deepEqual([verdict.principal, verdict.clientId, verdict.scopes], ["alice", "desk", ["a"]]);
    const [question] = questions();
    assert.equal(question?.headers.authorization, `Basic ${btoa("office:s3cret")}`);
    assert.deepEqual(Object.fromEntries(question.form), { token: "opaque", token_type_hint: "access_token" });
  });

  test("L17: a token without an end is fine", async (t) => {
    const { exp: _end, ...rest } = ACTIVE;
    letIn(await ask((await introspecting(t, rest)).protection, "opaque"));
  });

  for (const [what, change, description] of [
    ["that is not active", { active: false }, "The token is not active"],
    ["of which nobody says that it is active", { active: "true" }, "The token is not active"],
    ["for another", { aud: "https://other.example.com" }, "The token has a wrong 'aud'"],
    ["for nobody", { aud: undefined }, "The token has no 'aud'"],
    ["of another issuer", { iss: "https://other.example.com" }, "The token has a wrong 'iss'"],
    ["that has ended", { exp: Math.floor(Date.now() / 1000) - 60 }, "The token has expired"],
  ] as const)
    test(`AUTH-79, AUTH-81, SEC-25: a token ${what} gets 401`, async (t) => {
      const { protection } = await introspecting(t, { ...ACTIVE, ...change });
      const header = challengeOf(await ask(protection, "opaque")) ?? "";
      assert.ok(header.includes(`error="invalid_token", error_description="${description}"`), header);
    });

  test("requests at the same time are one question; later ones are asked again", async (t) => {
    const { protection, questions } = await introspecting(t, ACTIVE);
    for (const verdict of await Promise.all(Array.from({ length: 10 }, () => ask(protection, "opaque"))))
      letIn(verdict);
    assert.equal(questions().length, 1);
    letIn(await ask(protection, "opaque"));
    await ask(protection, "other");
    assert.equal(questions().length, 3);
  });

  test("an issuer that doesn't answer is no verdict, and the token is in no message", async (t) => {
    const { protection, issuer } = await introspecting(
      t,
      { error: "invalid_client", error_description: "for opaque" },
      401,
    );
    await assert.rejects(ask(protection, "opaque"), {
      step: "introspection",
      message: `introspection, ${issuer.site.origin}/introspect: expected what the token says, got status 401: "invalid_client", "for …"`,
    });
  });

  test("SEC-13, SEC-14: and not wherever the metadata says", async (t) => {
    const metadata = { introspection_endpoint: "https://10.0.0.1/introspect" };
    const issuer = await Issuer.start(t, { metadata });
    const options = { issuer: issuer.issuer, audience: AUDIENCE, client: { id: "office", secret: "s3cret" } };
    await assert.rejects(ask(verifyIntrospection(options), "opaque"), {
      message: /expected a public host, got a private one; the option "endpoint" lets it be asked$/,
    });
  });

  test("the place to ask can be given", async (t) => {
    const issuer = await Issuer.start(t, { first: ({ path }) => (path === "/ask" ? { body: ACTIVE } : undefined) });
    const endpoint = `${issuer.site.origin}/ask`;
    const client = { id: "office", secret: "s3cret", method: "client_secret_post" } as const;
    letIn(
      await ask(
        verifyIntrospection({ issuer: "https://as.example.com", audience: AUDIENCE, client, endpoint }),
        "opaque",
      ),
    );
    const [question] = issuer.site.requests;
    assert.equal(question?.form.get("client_secret"), "s3cret");
    assert.equal(issuer.site.requests.length, 1);
    const nowhere = verifyIntrospection({ issuer: issuer.issuer, audience: AUDIENCE, client });
    await assert.rejects(ask(nowhere, "opaque"), {
      message: /expected an "introspection_endpoint", got none; pass endpoint$/,
    });
  });
});
