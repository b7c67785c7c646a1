import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, describe, test } from "node:test";
import { memoryStore, withAuth } from "../src/index.ts";
import { type LoopbackOptions, loopback, openBrowser } from "../src/node/index.ts";
import { Issuer } from "./issuer.ts";
import { resource } from "./resource.ts";

/** A browser: follows the redirect of the authorization server, and shows the page. */
async function browse(page: string, before: (back: URL) => Promise<void> | void = () => {}): Promise<Response> {
  const response = await fetch(page, { redirect: "manual" });
  const back = new URL(response.headers.get("location") ?? "");
  await before(back);
  return await fetch(back);
}

const clientsIn = (forms: readonly URLSearchParams[]) => new Set(forms.map((form) => form.get("client_id")));

/** Logs in with a browser; gives the pages that the person has seen. */
async function login(t: TestContext, options: LoopbackOptions = {}, before?: (back: URL) => Promise<void> | void) {
  const issuer = await Issuer.start(t);
  const server = await resource(t, { issuer });
  const pages: Promise<Response>[] = [];
  const open = (page: string): void => void pages.push(browse(page, before));
  const authorized = withAuth(fetch, { flow: loopback({ open, ...options }), client: { name: "Files <3" } });
  return { issuer, server, pages, authorized };
}

describe("loopback", () => {
  test("a person logs in and is told to go back", async (t) => {
    const { issuer, server, pages, authorized } = await login(t);
    assert.equal((await authorized(server.url)).status, 200);
    const page = await pages[0];
    assert.ok(page);
    assert.equal(page.status, 200);
    const html = await page.text();
    assert.match(
      html,
      /<h1>You can go back now<\/h1>\n<p>Your answer has reached Files &#60;3\. You can close this page\.<\/p>/,
    );
    for (const [name, value] of [
      ["content-type", "text/html; charset=utf-8"],
      ["content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"],
      ["cache-control", "no-store"],
      ["referrer-policy", "no-referrer"],
    ] as const)
      assert.equal(page.headers.get(name), value, "SEC-30");
    const redirectUri = issuer.authorizationRequests[0]?.get("redirect_uri") ?? "";
    assert.match(redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    await assert.rejects(fetch(redirectUri), "the port is closed");
  });

  test("AUTH-55, L13: whoever comes with another state changes nothing", async (t) => {
    const seen: number[] = [];
    const { server, authorized } = await login(t, {}, async (back) => {
      for (const change of [
        (url: URL) => url.searchParams.set("state", "forged"),
        (url: URL) => url.searchParams.delete("state"),
        (url: URL) => (url.search = "?error=access_denied"),
        (url: URL) => (url.pathname = "/other"),
      ]) {
        const forged = new URL(back);
        change(forged);
        seen.push((await fetch(forged)).status);
      }
      seen.push((await fetch(back, { method: "POST" })).status);
    });
    assert.equal((await authorized(server.url)).status, 200);
    assert.deepEqual(seen, [404, 404, 404, 404, 404]);
  });

  test("what is no address, which any web page can ask for, changes nothing", async (t) => {
    const seen: (string | undefined)[] = [];
    const { server, authorized } = await login(t, {}, async (back) => {
      for (const target of ["//", "http://[", "*"]) seen.push(await firstLineOf(Number(back.port), target));
    });
    assert.equal((await authorized(server.url)).status, 200);
    assert.deepEqual(seen, Array(3).fill("HTTP/1.1 404 Not Found"));
  });

  test("redirect URIs that an issuer makes up are no ports", async (t) => {
    const body = { client_id: "desk", redirect_uris: ["callback", "//", "http://127.0.0.1/callback"] };
    const issuer = await Issuer.start(t, {
      first: ({ path }) => (path === "/register" ? { status: 201, body } : undefined),
    });
    const server = await resource(t, { issuer });
    const authorized = withAuth(fetch, { flow: loopback({ open: (page) => void browse(page) }) });
    for (let count = 0; count < 2; count++) {
      assert.equal((await authorized(server.url)).status, 200);
      issuer.valid.clear();
    }
  });

  test("AUTH-59, AUTH-61: an answer from elsewhere ends the login; its words are on no page", async (t) => {
    const { issuer, server, pages, authorized } = await login(t, {}, (back) => {
      back.searchParams.set("iss", "https://evil.example.com");
      back.searchParams.set("error", "call_me");
    });
    await assert.rejects(authorized(server.url), {
      step: "authorization",
      message: /expected an answer from the issuer/,
    });
    assert.doesNotMatch((await (await pages[0])?.text()) ?? "", /call_me/);
    assert.deepEqual(issuer.tokenRequests, []);
  });

  test("a person who doesn't come back is not awaited for ever", async (t) => {
    const { server, authorized } = await login(t, { timeout: 50, open: () => {} });
    await assert.rejects(authorized(server.url), {
      step: "authorization",
      message: /expected a person to come back within 50 ms, nobody came$/,
    });
  });

  test("a person may have all the time there is", async (t) => {
    const { server, authorized } = await login(
      t,
      { timeout: Infinity },
      () => new Promise((resolve) => setTimeout(resolve, 50)),
    );
    assert.equal((await authorized(server.url)).status, 200);
  });

  test("a request that is given up ends the login", async (t) => {
    let uri = "";
    const controller = new AbortController();
    const { server, authorized } = await login(t, {
      open: (page) => {
        uri = new URL(page).searchParams.get("redirect_uri") ?? "";
        controller.abort(new Error("enough"));
      },
    });
    await assert.rejects(authorized(server.url, { signal: controller.signal }), /enough/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await assert.rejects(fetch(uri));
  });

  test("a browser that can't be opened is the program's to report", async (t) => {
    const { server, authorized } = await login(t, {
      open: () => {
        throw new Error("no screen");
      },
    });
    await assert.rejects(authorized(server.url), /no screen/);
  });

  test("host, port and path can be those that a client is registered with", async (t) => {
    const port = await freePort();
    const { issuer, server, authorized } = await login(t, { host: "localhost", port, path: "/oauth/done" });
    assert.equal((await authorized(server.url)).status, 200);
    assert.equal(issuer.authorizationRequests[0]?.get("redirect_uri"), `http://localhost:${port}/oauth/done`);
  });

  test("AUTH-94: the next login takes the registered port, or registers another", async (t) => {
    const { issuer, server, authorized } = await login(t);
    const uris = (): (string | null)[] => issuer.authorizationRequests.map((request) => request.get("redirect_uri"));
    for (let count = 0; count < 2; count++) {
      assert.equal((await authorized(server.url)).status, 200);
      issuer.valid.clear();
    }
    assert.equal(uris()[0], uris()[1]);
    assert.equal(issuer.registrations.length, 1);
    const occupied = createServer().listen(Number(new URL(uris()[0] ?? "").port), "127.0.0.1");
    t.after(() => void occupied.close());
    await new Promise((resolve) => occupied.once("listening", resolve));
    assert.equal((await authorized(server.url)).status, 200);
    assert.notEqual(uris()[2], uris()[0]);
    assert.equal(issuer.registrations.length, 2);
  });

  test("AUTH-94: logins at once for servers of one issuer have a client each, and keep it", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const servers = await Promise.all([1, 2, 3].map(() => resource(t, { issuer })));
    const pages: string[] = [];
    // Nobody comes back before all have left.
    const open = (page: string): void => {
      if (pages.push(page) === servers.length) for (const each of pages) void browse(each);
    };
    const authorized = withAuth(fetch, { flow: loopback({ open }) });
    const served = async (): Promise<number[]> =>
      (await Promise.all(servers.map(({ url }) => authorized(url)))).map(({ status }) => status);
    assert.deepEqual(await served(), [200, 200, 200]);
    const asked = clientsIn(issuer.authorizationRequests);
    assert.equal(asked.size, 3);
    assert.deepEqual(clientsIn(issuer.tokenRequests), asked);
    issuer.valid.clear();
    assert.deepEqual(await served(), [200, 200, 200]);
    assert.equal(pages.length, 3);
    assert.deepEqual(clientsIn(issuer.tokenRequests.slice(3)), asked);
    assert.equal(issuer.registrations.length, 3);
  });

  test("processes that share a store open one browser", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const store = memoryStore();
    let opened = 0;
    const open = (page: string): void => {
      opened++;
      void browse(page);
    };
    const all = await Promise.all(
      [1, 2, 3].map(() => withAuth(fetch, { flow: loopback({ open }), store })(server.url)),
    );
    assert.deepEqual(
      all.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(opened, 1);
  });
});

describe("openBrowser", () => {
  test("SEC-28: no shell sees the address", { skip: process.platform === "win32" }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "browser-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const seen = join(folder, "seen");
    for (const name of ["xdg-open", "open"]) {
      writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "${seen}"\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const page = "https://as.example.com/?a=$(touch x)&b=`id`;echo%20|'\"&c=--flag";
    const program = `import { openBrowser } from ${JSON.stringify(new URL("../src/node/index.ts", import.meta.url).href)}; await openBrowser(process.argv[1]);`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program, page], {
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` },
      stdio: "inherit",
    });
    assert.equal(await new Promise((resolve) => child.once("exit", resolve)), 0);
    assert.deepEqual(readFileSync(seen, "utf8").trim().split("\n"), ["1", new URL(page).href]);
  });

  test("SEC-26, SEC-27: only pages of the web are opened", async () => {
    for (const page of ["javascript:alert(1)", "file:///etc/passwd", "vscode://x", "data:text/html,x"])
      await assert.rejects(openBrowser(page), TypeError);
  });
});

/** What comes back first for a target that no client of HTTP would send. */
async function firstLineOf(port: number, target: string): Promise<string | undefined> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return (await text(socket)).split("\r\n")[0];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
