import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { nodeFetch } from "@x/transport-http/node";
import { AuthError, authorizationCode, withAuth } from "../src/index.ts";
import { Issuer, type IssuerOptions } from "./issuer.ts";
import { REDIRECT, person } from "./person.ts";
import { resource } from "./resource.ts";

describe("the authorization request", () => {
  test("AUTH-47, AUTH-48, AUTH-55: has a challenge by S256, a state and the redirect URI, each new", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    for (const send of [fetch, nodeFetch]) assert.equal((await withAuth(send, person())(server.url)).status, 200);
    const [first, second] = issuer.authorizationRequests;
    assert.ok(first && second);
    assert.equal(first.get("response_type"), "code");
    assert.equal(first.get("code_challenge_method"), "S256");
    assert.equal(first.get("redirect_uri"), REDIRECT);
    assert.equal(issuer.tokenRequests[0]?.get("redirect_uri"), REDIRECT);
    const verifier = issuer.tokenRequests[0]?.get("code_verifier") ?? "";
    assert.equal(first.get("code_challenge"), createHash("sha256").update(verifier).digest("base64url"));
    for (const name of ["state", "code_challenge"]) {
      assert.ok((first.get(name)?.length ?? 0) >= 43);
      assert.notEqual(first.get(name), second.get(name));
    }
  });

  for (const methods of [undefined, [], ["plain"], "S256"])
    test(`AUTH-49: nothing is asked of an issuer whose code_challenge_methods_supported is ${JSON.stringify(methods)}`, async (t) => {
      const issuer = await Issuer.start(t, { metadata: { code_challenge_methods_supported: methods } });
      const server = await resource(t, { issuer });
      const { flow, visits } = person();
      await assert.rejects(withAuth(fetch, { flow })(server.url), {
        step: "server metadata",
        message: /expected "S256" in "code_challenge_methods_supported", got/,
      });
      assert.deepEqual(visits, []);
      assert.deepEqual(issuer.registrations, []);
    });

  for (const page of [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "http://as.example.com/",
    "ftp://as.example.com/",
    "/authorize",
  ])
    test(`SEC-26, SEC-27, SEC-29, AUTH-92: nobody is sent to ${page}`, async (t) => {
      const issuer = await Issuer.start(t, { metadata: { authorization_endpoint: page } });
      const server = await resource(t, { issuer });
      const { flow, visits } = person();
      await assert.rejects(withAuth(fetch, { flow })(server.url), { step: "authorization" });
      assert.deepEqual(visits, []);
    });

  test("a query that the page has already stays", async (t) => {
    const metadata: { authorization_endpoint?: string } = {};
    const issuer = await Issuer.start(t, { metadata });
    metadata.authorization_endpoint = `${issuer.site.origin}/authorize?tenant=a%20b&state=fixed`;
    const server = await resource(t, { issuer });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.equal(issuer.authorizationRequests[0]?.get("tenant"), "a b");
  });

  for (const redirectUri of [
    "http://client.example.com/callback",
    "https://client.example.com/#x",
    "javascript:alert(1)",
    "ftp://localhost/",
  ])
    test(`AUTH-93: ${redirectUri} is no redirect URI`, async (t) => {
      const issuer = await Issuer.start(t);
      const server = await resource(t, { issuer });
      await assert.rejects(
        withAuth(
          fetch,
          person(() => {}, redirectUri),
        )(server.url),
        TypeError,
      );
      assert.deepEqual(issuer.authorizationRequests, []);
    });

  test("AUTH-94: only a redirect URI that is registered is used", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const ports = [4001, 4001, 4002].values();
    const { flow } = {
      flow: authorizationCode(() => ({
        redirectUri: `http://127.0.0.1:${ports.next().value}/callback`,
        visit: async (page) => (await fetch(page, { redirect: "manual" })).headers.get("location") ?? "",
      })),
    };
    const authorized = withAuth(fetch, { flow });
    for (let count = 0; count < 3; count++) {
      assert.equal((await authorized(server.url)).status, 200);
      issuer.valid.clear();
    }
    const registered = issuer.registrations.flatMap((each) => each["redirect_uris"]);
    assert.deepEqual(registered, ["http://127.0.0.1:4001/callback", "http://127.0.0.1:4002/callback"]);
    const used = issuer.authorizationRequests.map((request) => [request.get("client_id"), request.get("redirect_uri")]);
    assert.deepEqual(
      used.map(([, uri]) => uri),
      [registered[0], registered[0], registered[1]],
    );
    assert.equal(used[0]?.[0], used[1]?.[0]);
    assert.notEqual(used[1]?.[0], used[2]?.[0]);
  });
});

const announced = (supported: boolean | undefined): IssuerOptions["metadata"] => ({
  authorization_response_iss_parameter_supported: supported,
});

const attempt = async (t: Parameters<typeof Issuer.start>[0], options: IssuerOptions, change?: (back: URL) => void) => {
  const issuer = await Issuer.start(t, options);
  const server = await resource(t, { issuer });
  const outcome = await withAuth(
    fetch,
    person(change),
  )(server.url).then(
    ({ status }) => status,
    (error: unknown) => error,
  );
  return { outcome, issuer };
};

describe("the authorization response", () => {
  const WRONG = "https://evil.example.com";
  for (const [supported, iss, works] of [
    [true, undefined, true],
    [true, null, false],
    [true, WRONG, false],
    [false, undefined, true],
    [false, null, true],
    [false, WRONG, false],
    [undefined, undefined, true],
    [undefined, null, true],
    [undefined, WRONG, false],
  ] as const)
    test(`AUTH-56, AUTH-59, L13, SEC-32: iss announced ${supported}, ${iss === null ? "absent" : (iss ?? "right")}`, async (t) => {
      const { outcome, issuer } = await attempt(t, {
        metadata: announced(supported) ?? {},
        ...(iss !== undefined && { iss }),
      });
      assert.equal(issuer.tokenRequests.length, works ? 1 : 0);
      if (works) assert.equal(outcome, 200);
      else assert.match(String(outcome), /expected an answer from the issuer "http:/);
    });

  for (const [what, other] of [
    ["a slash", (iss: string) => `${iss}/`],
    ["case", (iss: string) => iss.replace("localhost", "LOCALHOST")],
    ["percent-encoding", (iss: string) => iss.replace("localhost", "%6cocalhost")],
    ["nothing at all", () => ""],
  ] as const)
    test(`AUTH-60, L13: an iss that differs by ${what} is another`, async (t) => {
      const { outcome, issuer } = await attempt(t, {}, (back) =>
        back.searchParams.set("iss", other(back.searchParams.get("iss") ?? "")),
      );
      assert.match(String(outcome), /expected an answer from the issuer/);
      assert.deepEqual(issuer.tokenRequests, []);
    });

  test("AUTH-59: two of them are refused, even if one is right", async (t) => {
    const { outcome } = await attempt(t, {}, (back) => back.searchParams.append("iss", WRONG));
    assert.match(String(outcome), /got one from "https:\/\/evil\.example\.com"$/);
  });

  test("AUTH-61: what an answer from elsewhere says is not told", async (t) => {
    const { outcome } = await attempt(t, {}, (back) => {
      back.search = new URLSearchParams({
        iss: WRONG,
        state: back.searchParams.get("state") ?? "",
        error: "call_me",
        error_description: "at 555",
        error_uri: WRONG,
      }).toString();
    });
    assert.ok(AuthError.is(outcome));
    assert.equal(outcome.code, undefined);
    assert.doesNotMatch(outcome.message, /call_me|555/);
  });

  for (const [what, change] of [
    ["a forged state", (back: URL) => back.searchParams.set("state", "forged")],
    ["no state", (back: URL) => back.searchParams.delete("state")],
    ["two states", (back: URL) => back.searchParams.append("state", "forged")],
  ] as const)
    test(`AUTH-55: an answer with ${what} is dropped`, async (t) => {
      const { outcome, issuer } = await attempt(t, {}, change);
      assert.match(String(outcome), /expected an answer to this request, got one to another$/);
      assert.deepEqual(issuer.tokenRequests, []);
    });

  test("a refusal has the issuer's code and words", async (t) => {
    const { outcome } = await attempt(t, {}, (back) => {
      back.searchParams.delete("code");
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "Not\ntoday");
    });
    assert.ok(AuthError.is(outcome));
    assert.equal(outcome.code, "access_denied");
    assert.match(
      outcome.message,
      /^authorization, http:\/\/localhost:\d+\/authorize: expected a code, got "access_denied", "Not today"$/,
    );
  });

  test("neither a code nor an error is an error", async (t) => {
    const { outcome } = await attempt(t, {}, (back) => back.searchParams.delete("code"));
    assert.match(String(outcome), /expected a code, got none$/);
  });
});

describe("the token", () => {
  test("AUTH-76, AUTH-77: goes with every request, in the header, and never into an address", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    for (const method of ["POST", "GET", "DELETE"])
      assert.equal((await authorized(server.url, { method })).status, 200);
    const tokens = [...issuer.valid.keys(), ...issuer.refreshTokens.keys()];
    for (const call of server.calls().slice(1)) assert.equal(call.headers.authorization, `Bearer ${tokens[0]}`);
    for (const { path, query } of [...server.requests, ...issuer.site.requests])
      for (const token of tokens) assert.ok(!`${path}?${query.toString()}`.includes(token));
  });

  test("C18: the token of the provider is sent in place of one that the caller has set", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    for (const headers of [
      { Authorization: "Bearer old", "X-A": "1" },
      new Headers({ authorization: "Bearer old", "x-a": "1" }),
    ])
      assert.equal((await authorized(server.url, { headers })).status, 200);
    assert.ok(server.calls().every(({ headers }) => headers.authorization !== "Bearer old" && headers["x-a"] === "1"));
  });

  test("nothing outside the resource is sent the token", async (t) => {
    const issuer = await Issuer.start(t);
    const other: string[] = [];
    const server = await resource(t, {
      issuer,
      first: ({ path, headers }) => {
        if (path !== "/other" && path !== "/mcp/below") return undefined;
        other.push(headers.authorization ?? "none");
        return { body: "" };
      },
    });
    const authorized = withAuth(fetch, person());
    assert.equal((await authorized(server.url)).status, 200);
    await authorized(`${server.origin}/other`);
    await authorized(`${server.url}/below`);
    const [token] = issuer.valid.keys();
    assert.deepEqual(other, ["none", `Bearer ${token}`]);
  });

  test("a body is sent again whole, whatever it was", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    const streamed: RequestInit & { duplex: string } = {
      method: "POST",
      body: new Blob(["a body"]).stream(),
      duplex: "half",
    };
    const bodies: [string | Request, RequestInit?][] = [
      [server.url, { method: "POST", body: "a body" }],
      [server.url, streamed],
      [new Request(server.url, { method: "POST", body: "a body" })],
    ];
    for (const [input, init] of bodies) {
      issuer.valid.clear();
      assert.equal((await authorized(input, init)).status, 200);
    }
    const sent = server.calls().map(({ body }) => body);
    assert.deepEqual([...new Set(sent)], ["a body"]);
    assert.equal(sent.length, 6);
  });

  test("AUTH-89: none to refresh with is fine; the person logs in again", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const { flow, visits } = person();
    const authorized = withAuth(fetch, { flow });
    for (let count = 0; count < 2; count++) {
      assert.equal((await authorized(server.url)).status, 200);
      issuer.valid.clear();
    }
    assert.equal(visits.length, 2);
  });

  test("AUTH-01: a server that asks for none is sent none", async (t) => {
    const server = await resource(t, { first: () => ({ body: "open" }) });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.equal(server.calls()[0]?.headers.authorization, undefined);
  });

  test("an endless 401 is an error after one login", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, first: ({ path }) => (path === "/mcp" ? { status: 401 } : undefined) });
    const { flow, visits } = person();
    await assert.rejects(withAuth(fetch, { flow })(server.url), {
      step: "request",
      message: `request, ${server.url}: expected the new token to be accepted, got status 401`,
    });
    assert.equal(visits.length, 1);
  });

  test("a query of the server is in no message", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, first: ({ path }) => (path === "/mcp" ? { status: 401 } : undefined) });
    await assert.rejects(
      withAuth(fetch, person())(`${server.url}?key=s3cret`),
      (error) => !String(error).includes("s3cret"),
    );
  });
});
