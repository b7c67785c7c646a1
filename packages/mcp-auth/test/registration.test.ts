import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { type Provider, clientDocument, memoryStore, signingKey, withAuth } from "../src/index.ts";
import { Issuer, refused } from "./issuer.ts";
import { REDIRECT, person } from "./person.ts";
import { resource } from "./resource.ts";

const METADATA_URL = "https://client.example.com/metadata.json";
const documents = { client_id_metadata_document_supported: true };

describe("the order of registration", () => {
  test("AUTH-29, AUTH-30, AUTH-32, AUTH-34: registered beforehand comes first", async (t) => {
    const issuer = await Issuer.start(t, { metadata: documents });
    const server = await resource(t, { issuer });
    const registered = { issuer: issuer.issuer, id: "abc", secret: "s3cret" };
    const client = { registered, metadataUrl: METADATA_URL, register: true };
    assert.equal((await withAuth(fetch, { ...person(), client })(server.url)).status, 200);
    assert.equal(issuer.authorizationRequests[0]?.get("client_id"), "abc");
    assert.deepEqual(issuer.registrations, []);
  });

  test("AUTH-30, AUTH-33, AUTH-35: then the metadata document, where the issuer takes it", async (t) => {
    const issuer = await Issuer.start(t, { metadata: documents });
    const server = await resource(t, { issuer });
    const client = { metadataUrl: METADATA_URL };
    assert.equal((await withAuth(fetch, { ...person(), client })(server.url)).status, 200);
    assert.equal(issuer.authorizationRequests[0]?.get("client_id"), METADATA_URL);
    assert.equal(issuer.tokenRequests[0]?.get("client_id"), METADATA_URL);
    assert.deepEqual(issuer.registrations, []);
  });

  test("AUTH-30, AUTH-31, AUTH-40: else the client registers itself", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const client = { metadataUrl: METADATA_URL, name: "Files", metadata: { client_uri: "https://client.example.com" } };
    assert.equal((await withAuth(fetch, { ...person(), client })(server.url)).status, 200);
    assert.deepEqual(issuer.registrations, [
      {
        client_name: "Files",
        redirect_uris: [REDIRECT],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        application_type: "native",
        client_uri: "https://client.example.com",
      },
    ]);
  });

  test("AUTH-30: without any way the error says what to do", async (t) => {
    const issuer = await Issuer.start(t, { metadata: { registration_endpoint: undefined } });
    const server = await resource(t, { issuer });
    await assert.rejects(withAuth(fetch, person())(server.url), {
      step: "registration",
      message: /expected a way to become known to "http:.*", got none; give it a client as "client\.registered"$/,
    });
  });

  test("AUTH-35: an address that can't be a metadata document's is refused at once", () => {
    for (const metadataUrl of [
      "http://client.example.com/a.json",
      "https://client.example.com",
      "https://client.example.com/",
      "a.json",
    ])
      assert.throws(() => withAuth(fetch, { ...person(), client: { metadataUrl } }), TypeError, metadataUrl);
  });
});

test("AUTH-36: the document of a client has what it must, and its own address", () => {
  const client = { name: "Files", metadataUrl: METADATA_URL, metadata: { client_uri: "https://client.example.com" } };
  assert.deepEqual(clientDocument(client, [REDIRECT]), {
    client_id: METADATA_URL,
    client_name: "Files",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    client_uri: "https://client.example.com",
  });
});

describe("registering", () => {
  for (const [redirectUri, type] of [
    ["http://127.0.0.1:1234/callback", "native"],
    ["http://localhost/callback", "native"],
    ["com.example.app:/callback", "native"],
    ["https://client.example.com/callback", "web"],
  ] as const)
    test(`AUTH-41, AUTH-87: ${redirectUri} makes a ${type} application`, async (t) => {
      const issuer = await Issuer.start(t);
      const server = await resource(t, { issuer });
      assert.equal(
        (
          await withAuth(
            fetch,
            person(() => {}, redirectUri),
          )(server.url)
        ).status,
        200,
      );
      const [registration] = issuer.registrations;
      assert.equal(registration?.["application_type"], type);
      assert.deepEqual(registration["grant_types"], ["authorization_code", "refresh_token"]);
    });

  test("AUTH-42: a refusal says what was asked for and why it was not granted", async (t) => {
    const issuer = await Issuer.start(t, {
      first: ({ path }) =>
        path === "/register"
          ? refused("invalid_redirect_uri", { error_description: "http is for native clients" })
          : undefined,
    });
    const server = await resource(t, { issuer });
    await assert.rejects(withAuth(fetch, person())(server.url), {
      step: "registration",
      code: "invalid_redirect_uri",
      message: `registration, ${issuer.site.origin}/register: expected a client id, got status 400: "invalid_redirect_uri", "http is for native clients"; asked for the redirect to ${REDIRECT}`,
    });
  });

  test("L12: optional members that make no sense don't void the answer", async (t) => {
    const issuer = await Issuer.start(t, {
      first: ({ path }) =>
        path === "/register"
          ? {
              status: 201,
              body: {
                client_id: "abc",
                client_secret: "",
                application_type: "x",
                client_uri: "",
                redirect_uris: "none",
                client_secret_expires_at: "never",
                token_endpoint_auth_method: "x",
                error_description: null,
              },
            }
          : undefined,
    });
    const server = await resource(t, { issuer });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
    assert.equal(issuer.tokenRequests[0]?.get("client_id"), "abc");
  });

  test("a registration is kept with its issuer, and used until its secret ends", async (t) => {
    const issuer = await Issuer.start(t, {
      metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    });
    const server = await resource(t, { issuer });
    const store = memoryStore();
    assert.equal((await withAuth(fetch, { ...person(), store })(server.url)).status, 200);
    issuer.valid.clear();
    assert.equal((await withAuth(fetch, { ...person(), store })(server.url)).status, 200);
    assert.equal(issuer.registrations.length, 1);
    const key = `client ${issuer.issuer}`;
    await store.set(key, { ...((await store.get(key)) as object), expiresAt: Date.now() - 1000 });
    issuer.valid.clear();
    assert.equal((await withAuth(fetch, { ...person(), store })(server.url)).status, 200);
    assert.equal(issuer.registrations.length, 2);
  });

  test("a client that the issuer has forgotten registers again", async (t) => {
    let forgotten = false;
    const issuer: Issuer = await Issuer.start(t, {
      refreshTokens: true,
      first: ({ path, form }) => {
        const id = form.get("client_id") ?? "";
        return path === "/token" && forgotten && id === first
          ? { status: 401, body: { error: "invalid_client" } }
          : undefined;
      },
    });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, person());
    assert.equal((await authorized(server.url)).status, 200);
    const first = issuer.tokenRequests[0]?.get("client_id");
    forgotten = true;
    issuer.valid.clear();
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(issuer.registrations.length, 2);
    assert.notEqual(issuer.tokenRequests.at(-1)?.get("client_id"), first);
  });
});

const shown = async (issuer: Issuer, provider: Provider, url: string) => {
  assert.equal((await withAuth(fetch, provider)(url)).status, 200);
  const request = issuer.site.requests.find(({ path }) => path === "/token");
  assert.ok(request);
  return request;
};

describe("who is asked for a token is shown who asks", () => {
  for (const method of ["none", "client_secret_basic", "client_secret_post"] as const)
    test(`AUTH-103, L14: by ${method}, where that is what the issuer takes`, async (t) => {
      const issuer = await Issuer.start(t, { metadata: { token_endpoint_auth_methods_supported: [method] } });
      const server = await resource(t, { issuer });
      const { headers, form } = await shown(issuer, person(), server.url);
      const [id = "", { secret } = { secret: undefined }] = [...issuer.clients][0] ?? [];
      const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
      assert.equal(headers.authorization, method === "client_secret_basic" ? basic : undefined);
      assert.equal(form.get("client_secret"), method === "client_secret_post" ? secret : null);
      assert.equal(form.get("client_id"), method === "client_secret_basic" ? null : id);
    });

  test("L14: by the method that the registration has come back with", async (t) => {
    const issuer = await Issuer.start(t, {
      first: ({ path }) =>
        path === "/register"
          ? {
              status: 201,
              body: { client_id: "abc", client_secret: "s3cret", token_endpoint_auth_method: "client_secret_basic" },
            }
          : undefined,
    });
    const server = await resource(t, { issuer });
    const { headers } = await shown(issuer, person(), server.url);
    assert.equal(headers.authorization, `Basic ${btoa("abc:s3cret")}`);
  });

  test("AUTH-103: by Basic, where the issuer says nothing", async (t) => {
    const issuer = await Issuer.start(t, { metadata: { token_endpoint_auth_methods_supported: undefined } });
    const server = await resource(t, { issuer });
    const registered = { issuer: issuer.issuer, id: "a-b c:d", secret: "é+%" };
    const { headers } = await shown(issuer, { ...person(), client: { registered } }, server.url);
    assert.equal(headers.authorization, `Basic ${btoa("a-b+c%3Ad:%C3%A9%2B%25")}`);
  });

  test("AUTH-37: by a key, with an assertion for the issuer", async (t) => {
    const issuer = await Issuer.start(t, { metadata: documents });
    const server = await resource(t, { issuer });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = await signingKey(privateKey.export({ type: "pkcs8", format: "pem" }) as string, "ES256", "key-1");
    const client = { metadataUrl: METADATA_URL, key };
    const { form } = await shown(issuer, { ...person(), client }, server.url);
    assert.equal(form.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const assertion = form.get("client_assertion") ?? "";
    assert.deepEqual(decodeProtectedHeader(assertion), { alg: "ES256", kid: "key-1" });
    const { iss, sub, aud, exp = 0, iat = 0 } = decodeJwt(assertion);
    assert.deepEqual({ iss, sub, aud }, { iss: METADATA_URL, sub: METADATA_URL, aud: issuer.issuer });
    assert.ok(exp > iat && Math.abs(iat - Date.now() / 1000) < 60);
  });

  test("a clock that is off is corrected by the issuer's", async (t) => {
    const later = new Date(Date.now() + 3_600_000);
    const metadataAt = "/.well-known/oauth-authorization-server";
    const issuer: Issuer = await Issuer.start(t, {
      metadata: documents,
      first: ({ path }) =>
        path === metadataAt ? { headers: { Date: later.toUTCString() }, body: issuer.metadata } : undefined,
    });
    const server = await resource(t, { issuer });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = await signingKey({ ...privateKey.export({ format: "jwk" }) }, "ES256");
    const { form } = await shown(issuer, { ...person(), client: { metadataUrl: METADATA_URL, key } }, server.url);
    const { iat = 0 } = decodeJwt(form.get("client_assertion") ?? "");
    assert.ok(Math.abs(iat - later.getTime() / 1000) < 60);
  });

  test("a method without what it needs is refused at once", () => {
    for (const method of ["private_key_jwt", "client_secret_basic", "client_secret_post"] as const) {
      const registered = { issuer: "https://as.example.com", id: "abc", method };
      assert.throws(() => withAuth(fetch, { ...person(), client: { registered } }), TypeError);
    }
  });
});

describe("what one issuer has given is another's no business", () => {
  test("AUTH-27, AUTH-28, AUTH-43, AUTH-44, AUTH-80, L19: the issuer changes", async (t) => {
    const options = {
      refreshTokens: true,
      metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    };
    const [one, two] = [await Issuer.start(t, options), await Issuer.start(t, options)];
    let current = one;
    const server = await resource(t, {
      issuer: one,
      metadata: () => ({ authorization_servers: [current.issuer] }),
      first: ({ path, headers }) => {
        const token = headers.authorization?.slice("Bearer ".length) ?? "";
        return path === "/mcp" && current.valid.has(token) ? { body: { ok: true } } : undefined;
      },
    });
    const authorized = withAuth(fetch, person());
    assert.equal((await authorized(server.url)).status, 200);
    current = two;
    one.valid.clear();
    assert.equal((await authorized(server.url)).status, 200);
    const given = [...one.clients]
      .flatMap(([id, { secret = "" }]) => [id, secret])
      .concat([...one.refreshTokens.keys()]);
    const seen = JSON.stringify(two.site.requests.map(({ body, query, headers }) => [body, query.toString(), headers]));
    assert.deepEqual(
      given.filter((secret) => seen.includes(secret)),
      [],
    );
    assert.equal(two.registrations.length, 1);
    assert.equal(one.tokenRequests.length, 1);
    await authorized(server.url);
    assert.ok(two.valid.has(server.calls().at(-1)?.headers.authorization?.slice("Bearer ".length) ?? ""));
  });

  test("AUTH-44: what an issuer gave before leaves the store, even for a resource of another name", async (t) => {
    const [one, two] = [await Issuer.start(t), await Issuer.start(t)];
    let current = one;
    const server = await resource(t, {
      metadata: (origin) => ({
        resource: current === one ? `${origin}/mcp` : origin,
        authorization_servers: [current.issuer],
      }),
      first: ({ path, headers }) => {
        const token = headers.authorization?.slice("Bearer ".length) ?? "";
        return path === "/mcp" && current.valid.has(token) ? { body: { ok: true } } : undefined;
      },
    });
    const store = memoryStore();
    assert.equal((await withAuth(fetch, { ...person(), store })(server.url)).status, 200);
    current = two;
    assert.equal((await withAuth(fetch, { ...person(), store })(server.url)).status, 200);
    const { flow, visits } = person();
    assert.equal((await withAuth(fetch, { flow, store })(server.url)).status, 200);
    assert.deepEqual(visits, []);
  });

  test("AUTH-45: a client that another issuer knows is an error, and is not tried", async (t) => {
    const issuer = await Issuer.start(t, { metadata: documents });
    const server = await resource(t, { issuer });
    const registered = { issuer: "https://as.example.com", id: "abc", secret: "s3cret" };
    const client = { registered, metadataUrl: METADATA_URL, register: true };
    await assert.rejects(withAuth(fetch, { ...person(), client })(server.url), {
      step: "registration",
      message: `registration, ${issuer.issuer}/: expected one of the issuers that know the client, "https://as.example.com", got "${issuer.issuer}"`,
    });
    assert.deepEqual(issuer.authorizationRequests, []);
  });

  test("AUTH-43: a list has a client for each issuer", async (t) => {
    const [one, two] = [await Issuer.start(t), await Issuer.start(t)];
    const registered = [one, two].map(({ issuer }, index) => ({ issuer, id: `client-of-${index}` }));
    const authorized = withAuth(fetch, { ...person(), client: { registered } });
    for (const [index, issuer] of [one, two].entries()) {
      assert.equal((await authorized((await resource(t, { issuer })).url)).status, 200);
      assert.equal(issuer.authorizationRequests[0]?.get("client_id"), `client-of-${index}`);
    }
  });

  test("a list without the issuer leaves the other ways open, if they are allowed", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const registered = [{ issuer: "https://as.example.com", id: "abc" }];
    await assert.rejects(withAuth(fetch, { ...person(), client: { registered } })(server.url), {
      step: "registration",
    });
    const client = { registered, register: true };
    assert.equal((await withAuth(fetch, { ...person(), client })(server.url)).status, 200);
  });

  test("AUTH-46: a metadata document is for every issuer", async (t) => {
    const authorized = withAuth(fetch, { ...person(), client: { metadataUrl: METADATA_URL } });
    for (let count = 0; count < 2; count++) {
      const issuer = await Issuer.start(t, { metadata: documents });
      assert.equal((await authorized((await resource(t, { issuer })).url)).status, 200);
      assert.equal(issuer.authorizationRequests[0]?.get("client_id"), METADATA_URL);
    }
  });
});
