import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { type TestContext, describe, test } from "node:test";
import { decodeJwt } from "jose";
import {
  CLIENT_CREDENTIALS,
  ENTERPRISE_MANAGED,
  type Provider,
  clientCredentials,
  enterpriseManaged,
  signingKey,
  withAuth,
  workloadIdentity,
} from "../src/index.ts";
import { Issuer, type IssuerOptions, refused } from "./issuer.ts";
import { resource } from "./resource.ts";
import { type Arrived, site } from "./site.ts";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** An issuer of tokens for one grant type, which says no to requests that `judge` finds wrong. */
async function issuing(t: TestContext, grantType: string, options: IssuerOptions = {}): Promise<Issuer> {
  const issuer: Issuer = await Issuer.start(t, {
    ...options,
    first: async (request) => {
      const first = await options.first?.(request);
      if (first || request.path !== "/token") return first;
      if (request.form.get("grant_type") !== grantType) return refused("unsupported_grant_type");
      const scopes = request.form.get("scope")?.split(" ") ?? [];
      return { body: issuer.issue({ scopes, resource: request.form.get("resource"), client: "abc" }) };
    },
  });
  return issuer;
}

const tokenRequest = ({ site: { requests } }: Issuer): Arrived => {
  const request = requests.find(({ path }) => path === "/token");
  assert.ok(request);
  return request;
};

describe("client credentials", () => {
  test("AEXT-03: by id and secret", async (t) => {
    const issuer = await issuing(t, "client_credentials");
    const server = await resource(t, { issuer, metadata: () => ({ scopes_supported: ["a"] }) });
    const registered = { issuer: issuer.issuer, id: "abc", secret: "s3cret" };
    const response = await withAuth(fetch, { flow: clientCredentials(), client: { registered } })(server.url);
    assert.equal(response.status, 200);
    const { headers, form } = tokenRequest(issuer);
    assert.equal(headers.authorization, `Basic ${btoa("abc:s3cret")}`);
    assert.deepEqual(Object.fromEntries(form), { grant_type: "client_credentials", resource: server.url, scope: "a" });
    assert.deepEqual(issuer.authorizationRequests, []);
  });

  test("AEXT-03, AEXT-04: by a JWT, whose audience is the issuer", async (t) => {
    const issuer = await issuing(t, "client_credentials");
    const server = await resource(t, { issuer });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = await signingKey(privateKey.export({ type: "pkcs8", format: "pem" }) as string, "ES256");
    const registered = { issuer: issuer.issuer, id: "abc", key };
    assert.equal(
      (await withAuth(fetch, { flow: clientCredentials(), client: { registered } })(server.url)).status,
      200,
    );
    const { form } = tokenRequest(issuer);
    assert.equal(form.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const { iss, sub, aud, exp = 0, iat = 0 } = decodeJwt(form.get("client_assertion") ?? "");
    assert.deepEqual([iss, sub, aud], ["abc", "abc", issuer.issuer]);
    assert.ok(exp - iat > 0 && exp - iat <= 300);
  });

  test("AEXT-05: the token is replaced before its end, without a 401 and once for all requests", async (t) => {
    const issuer = await issuing(t, "client_credentials", { tokens: { expires_in: 0.05 } });
    const server = await resource(t, { issuer });
    const registered = { issuer: issuer.issuer, id: "abc", secret: "s3cret" };
    const authorized = withAuth(fetch, { flow: clientCredentials(), client: { registered } });
    await authorized(server.url);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const before = server.calls().length;
    const all = await Promise.all(Array.from({ length: 10 }, () => authorized(server.url)));
    assert.ok(all.every(({ status }) => status === 200));
    assert.equal(server.calls().length - before, 10);
    assert.equal(issuer.tokenRequests.length, 2);
  });

  test("AUTH-73: a program may ask for more scopes too", async (t) => {
    const issuer = await issuing(t, "client_credentials");
    const server = await resource(t, { issuer, needs: (body) => (body === "" ? [] : [body]) });
    const registered = { issuer: issuer.issuer, id: "abc", secret: "s3cret" };
    const authorized = withAuth(fetch, { flow: clientCredentials(), client: { registered } });
    assert.equal((await authorized(server.url, { method: "POST", body: "a" })).status, 200);
    assert.equal((await authorized(server.url, { method: "POST", body: "b" })).status, 200);
    assert.deepEqual(
      issuer.tokenRequests.map((form) => form.get("scope")),
      [null, "a", "a b"],
    );
  });

  test("AUTH-43: the secret is not shown to an issuer that the server names instead", async (t) => {
    const issuer = await issuing(t, "client_credentials");
    const server = await resource(t, { issuer });
    const registered = { issuer: "https://as.example.com", id: "abc", secret: "s3cret" };
    await assert.rejects(withAuth(fetch, { flow: clientCredentials(), client: { registered } })(server.url), {
      step: "registration",
      message: /expected one of the issuers that know the client, "https:\/\/as\.example\.com"/,
    });
    assert.deepEqual(issuer.tokenRequests, []);
  });

  test("a client with neither secret nor key is refused, and does not register itself", async (t) => {
    const issuer = await issuing(t, "client_credentials");
    const server = await resource(t, { issuer });
    const provider = (id?: string): Provider => ({
      flow: clientCredentials(),
      ...(id !== undefined && { client: { registered: { issuer: issuer.issuer, id } } }),
    });
    await assert.rejects(withAuth(fetch, provider("abc"))(server.url), { step: "token" });
    await assert.rejects(withAuth(fetch, provider())(server.url), { step: "registration" });
    assert.deepEqual(issuer.registrations, []);
  });
});

describe("enterprise-managed authorization", () => {
  const ID_TOKEN = "id-token-of-a-person";

  const enterprise = async (t: TestContext, answer: object = {}, status = 200) => {
    const issuer = await issuing(t, JWT_BEARER);
    const server = await resource(t, { issuer, metadata: () => ({ scopes_supported: ["a"] }) });
    const idp = await site(t, ({ path }) => {
      if (path === "/.well-known/openid-configuration")
        return { body: { issuer: idp.origin, token_endpoint: `${idp.origin}/token` } };
      if (path !== "/token") return undefined;
      const good = {
        access_token: "the-id-jag",
        token_type: "N_A",
        issued_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      };
      return { status, body: status === 200 ? { ...good, ...answer } : answer };
    });
    const client = { id: "at-the-idp", secret: "idp-s3cret" };
    const flow = enterpriseManaged({ issuer: idp.origin, client }, async () => ({ token: ID_TOKEN }));
    const registered = { issuer: issuer.issuer, id: "abc", secret: "s3cret" };
    return { issuer, server, idp, authorized: withAuth(fetch, { flow, client: { registered } }) };
  };

  test("AEXT-08: an ID token becomes an ID-JAG, and that an access token, without a person", async (t) => {
    const { issuer, server, idp, authorized } = await enterprise(t);
    assert.equal((await authorized(server.url)).status, 200);
    const exchange = idp.requests.find(({ path }) => path === "/token");
    assert.equal(exchange?.headers.authorization, `Basic ${btoa("at-the-idp:idp-s3cret")}`);
    assert.deepEqual(Object.fromEntries(exchange.form), {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
      subject_token: ID_TOKEN,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      audience: issuer.issuer,
      resource: server.url,
      scope: "a",
    });
    const { headers, form } = tokenRequest(issuer);
    assert.equal(headers.authorization, `Basic ${btoa("abc:s3cret")}`);
    assert.deepEqual(Object.fromEntries(form), {
      grant_type: JWT_BEARER,
      assertion: "the-id-jag",
      resource: server.url,
      scope: "a",
    });
    assert.deepEqual(issuer.authorizationRequests, []);
  });

  test("a refusal of the identity provider is an error of that step", async (t) => {
    const { issuer, server, idp, authorized } = await enterprise(
      t,
      { error: "access_denied", error_description: `no ${ID_TOKEN}` },
      400,
    );
    await assert.rejects(authorized(server.url), {
      step: "identity provider",
      code: "access_denied",
      message: `identity provider, ${idp.origin}/token: expected a token, got status 400: "access_denied", "no …"`,
    });
    assert.deepEqual(issuer.tokenRequests, []);
  });

  test("a token of another type is not passed on", async (t) => {
    const { issuer, server, authorized } = await enterprise(t, {
      issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
    });
    await assert.rejects(authorized(server.url), {
      step: "identity provider",
      message: /expected a token of the type "urn:.*:id-jag"/,
    });
    assert.deepEqual(issuer.tokenRequests, []);
  });
});

describe("workload identity", () => {
  test("an assertion of the platform becomes an access token", async (t) => {
    const issuer = await issuing(t, JWT_BEARER);
    const server = await resource(t, { issuer });
    const audiences: unknown[] = [];
    const flow = workloadIdentity((audience) => {
      audiences.push(audience);
      return "a-service-account-token";
    });
    const client = { registered: { issuer: issuer.issuer, id: "abc" } };
    assert.equal((await withAuth(fetch, { flow, client })(server.url)).status, 200);
    assert.deepEqual(audiences, [{ issuer: issuer.issuer, resource: server.url, scope: undefined }]);
    assert.deepEqual(Object.fromEntries(tokenRequest(issuer).form), {
      grant_type: JWT_BEARER,
      assertion: "a-service-account-token",
      client_id: "abc",
      resource: server.url,
    });
  });

  test("a refusal is final: nothing is tried in its place", async (t) => {
    const issuer = await issuing(t, JWT_BEARER, {
      first: ({ path }) => (path === "/token" ? refused("invalid_grant") : undefined),
    });
    const server = await resource(t, { issuer });
    const client = { registered: { issuer: issuer.issuer, id: "abc" } };
    await assert.rejects(withAuth(fetch, { flow: workloadIdentity(() => "x"), client })(server.url), {
      step: "token",
      code: "invalid_grant",
    });
    assert.equal(issuer.tokenRequests.length, 1);
  });
});

test("AEXT-02, AEXT-07: the extensions have their names", () => {
  assert.equal(CLIENT_CREDENTIALS, "io.modelcontextprotocol/oauth-client-credentials");
  assert.equal(ENTERPRISE_MANAGED, "io.modelcontextprotocol/enterprise-managed-authorization");
});
