import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withAuth } from "../src/index.ts";
import { publicAddress } from "../src/node/index.ts";
import { Trust } from "../src/trust.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

const verdict = (home: string, address: string, options = {}): Promise<string> =>
  new Trust(new URL(home), options).check("token", address).then(
    () => "asked",
    (error: Error) => error.message.replace(/^token, [^ ]*: /, ""),
  );

const PUBLIC = "https://mcp.example.com/mcp";

const check = (): Promise<void> => Promise.reject(new Error("not this one"));

describe("SEC-13, SEC-14, SEC-15: which addresses are asked", () => {
  for (const [home, address, expected] of [
    [PUBLIC, "https://as.example.com/", /^asked$/],
    [PUBLIC, "http://as.example.com/", /^expected "https:", got "http:"$/],
    [PUBLIC, "https://127.0.0.1/", /^expected a public host, got a loopback one/],
    [PUBLIC, "http://localhost:3000/", /^expected a public host, got a loopback one/],
    [PUBLIC, "https://10.1.2.3/", /^expected a public host, got a private one; the option "allow" lets it be asked$/],
    [PUBLIC, "https://169.254.169.254/latest/meta-data/", /got a link-local one/],
    [PUBLIC, "http://0x7f.1/", /got a loopback one/],
    [PUBLIC, "https://[::ffff:192.168.0.1]/", /got a private one/],
    [PUBLIC, "https://a:b@as.example.com/", /^expected no credentials in the URL$/],
    [PUBLIC, "file:///etc/passwd", /^expected "https:", got "file:"$/],
    [PUBLIC, "as.example.com", /^expected a URL, got "as.example.com"$/],
    ["http://localhost:3000/mcp", "http://127.0.0.1:4000/", /^asked$/],
    ["http://localhost:3000/mcp", "https://as.example.com/", /^asked$/],
    ["http://localhost:3000/mcp", "http://10.0.0.1/", /got a private one/],
    ["http://localhost:3000/mcp", "http://169.254.169.254/", /got a link-local one/],
    ["http://192.168.1.5/mcp", "http://192.168.1.6/", /^asked$/],
    ["https://192.168.1.5/mcp", "http://192.168.1.6/", /^expected "https:"/],
    ["http://mcp.example.com/mcp", "http://mcp.example.com/mcp", /^expected "https:"/],
  ] as const)
    test(`${address}, named by ${home}`, async () => assert.match(await verdict(home, address), expected));

  test("hosts that are allowed are asked, without TLS too", async () => {
    const allow = ["10.1.2.3", "as.corp.example:8443"];
    assert.equal(await verdict(PUBLIC, "http://10.1.2.3:99/", { allow }), "asked");
    assert.equal(await verdict(PUBLIC, "https://as.corp.example:8443/", { allow }), "asked");
    assert.match(await verdict(PUBLIC, "https://10.1.2.4/", { allow }), /private/);
  });

  test("a further check has the last word on hosts that seem public", async () => {
    assert.equal(await verdict(PUBLIC, "https://as.example.com/", { check }), "not this one");
    assert.equal(await verdict(PUBLIC, "https://as.example.com/", { check, allow: ["as.example.com"] }), "asked");
  });

  test("SEC-17: publicAddress looks behind a name", async () => {
    await assert.rejects(
      publicAddress(new URL("http://localhost/")),
      /^Error: expected public addresses, got (127\.0\.0\.1|::1), which is loopback$/,
    );
    await assert.rejects(publicAddress(new URL("http://[::1]/")), /loopback/);
    await publicAddress(new URL("http://8.8.8.8/"));
  });
});

const knownTo = (issuer: string) => ({ ...person(), client: { registered: [{ issuer, id: "desk" }] } });

test("the issuer of a client was chosen by somebody, and may be wherever it is", async () => {
  const asked: string[] = [];
  const fake: typeof fetch = async (input) => {
    const address = String(input);
    asked.push(address);
    if (address.endsWith("/mcp")) return new Response(null, { status: 401 });
    const document = { resource: "https://mcp.example.com/mcp", authorization_servers: ["http://10.1.2.3:8080"] };
    return address.includes("protected-resource") ? Response.json(document) : new Response(null, { status: 404 });
  };
  const url = "https://mcp.example.com/mcp";
  await assert.rejects(withAuth(fake, knownTo("https://as.example.com"))(url), { message: /got a private one/ });
  assert.ok(!asked.some((address) => address.includes("10.1.2.3")));
  await assert.rejects(withAuth(fake, knownTo("http://10.1.2.3:8080"))(url), {
    message: /expected its metadata at http:\/\/10\.1\.2\.3:8080/,
  });
});

describe("metadata that leads astray", () => {
  const METADATA = "http://169.254.169.254/latest/meta-data/";

  test("SEC-13: the address in a challenge", async (t) => {
    const server = await resource(t, { challenge: () => `Bearer resource_metadata="${METADATA}"` });
    await assert.rejects(withAuth(fetch, person())(server.url), { step: "resource metadata", message: /link-local/ });
  });

  test("SEC-13: the issuer", async (t) => {
    const server = await resource(t, { metadata: () => ({ authorization_servers: [METADATA] }) });
    await assert.rejects(withAuth(fetch, person())(server.url), { step: "server metadata", message: /link-local/ });
  });

  for (const [member, step] of [
    ["authorization_endpoint", "authorization"],
    ["token_endpoint", "token"],
    ["registration_endpoint", "registration"],
  ] as const)
    test(`SEC-13: ${member}`, async (t) => {
      const issuer = await Issuer.start(t, { metadata: { [member]: METADATA } });
      const server = await resource(t, { issuer });
      await assert.rejects(withAuth(fetch, person())(server.url), { step, message: /link-local/ });
    });

  test("SEC-16: the target of a redirect", async (t) => {
    const asked: string[] = [];
    const tapped: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    };
    const server = await resource(t, {
      first: ({ path }) =>
        path.startsWith("/.well-known/") ? { status: 302, headers: { Location: METADATA } } : undefined,
    });
    await assert.rejects(withAuth(tapped, person())(server.url), { step: "resource metadata", message: /link-local/ });
    assert.ok(!asked.includes(METADATA));
  });

  test("redirects within bounds are followed", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, {
      issuer,
      metadataAt: "/elsewhere",
      challenge: () => undefined,
      first: ({ path }) =>
        path === "/.well-known/oauth-protected-resource/mcp"
          ? { status: 301, headers: { Location: "/elsewhere" } }
          : undefined,
    });
    assert.equal((await withAuth(fetch, person())(server.url)).status, 200);
  });

  test("redirects without end are not", async (t) => {
    const server = await resource(t, {
      first: ({ path }) =>
        path.startsWith("/.well-known/") ? { status: 302, headers: { Location: path } } : undefined,
    });
    await assert.rejects(withAuth(fetch, person())(server.url), { message: /expected a document, got 4 redirects$/ });
  });

  test("SEC-14: no token goes to a public host without TLS", async () => {
    const sent: Headers[] = [];
    const fake: typeof fetch = async (_input, init) => {
      sent.push(new Headers(init?.headers));
      return new Response(null, { status: 401 });
    };
    await assert.rejects(withAuth(fake, person())("http://mcp.example.com/mcp"), {
      step: "request",
      message: /expected "https:", got "http:"$/,
    });
    assert.equal(sent.length, 1);
  });
});
