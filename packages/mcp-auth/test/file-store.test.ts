import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { type Store, memoryStore, withAuth } from "../src/index.ts";
import { fileStore } from "../src/node/index.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "deep", "er");
}

function run(t: TestContext, program: string, folder: string, arg: string, more = {}): ChildProcess {
  const path = new URL(`programs/${program}.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", path, folder, arg], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...more },
  });
  t.after(() => void child.kill("SIGKILL"));
  return child;
}

const codeOf = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once("exit", resolve));

const posix = { skip: process.platform === "win32" };

for (const [name, make] of [
  ["memory", () => memoryStore()],
  ["files", (t: TestContext) => fileStore(folderFor(t))],
] as [string, (t: TestContext) => Store][])
  describe(`a store: ${name}`, () => {
    test("keeps values by key until they are deleted", async (t) => {
      const store = make(t);
      assert.equal(await store.get("a"), undefined);
      await store.set("a", { x: [1] });
      await store.set("a/../b", [2]);
      assert.deepEqual(await store.get("a"), { x: [1] });
      assert.deepEqual(await store.get("a/../b"), [2]);
      await store.set("a", undefined);
      await store.set("a", undefined);
      assert.equal(await store.get("a"), undefined);
    });

    test("runs the work for one key in turn, and for others at once", async (t) => {
      const store = make(t);
      const log: string[] = [];
      const work = (key: string, id: string) =>
        store.lock(key, async () => {
          log.push(`${id} begins`);
          await new Promise((resolve) => setTimeout(resolve, 20));
          log.push(`${id} ends`);
          return id;
        });
      assert.deepEqual(await Promise.all([work("a", "1"), work("a", "2"), work("b", "3")]), ["1", "2", "3"]);
      const ofA = log.filter((line) => !line.startsWith("3"));
      const [first, second] = ofA[0] === "1 begins" ? [1, 2] : [2, 1];
      assert.deepEqual(ofA, [`${first} begins`, `${first} ends`, `${second} begins`, `${second} ends`]);
      assert.ok(log.indexOf("3 begins") < log.indexOf(`${second} ends`));
    });

    test("work that fails doesn't keep the lock", async (t) => {
      const store = make(t);
      await assert.rejects(
        store.lock("a", () => Promise.reject(new Error("no"))),
        /no/,
      );
      assert.equal(await store.lock("a", async () => 1), 1);
    });
  });

describe("a store of files", () => {
  test("AUTH-86, AUTH-91: nobody but the owner can read them", posix, async (t) => {
    const folder = folderFor(t);
    const store = fileStore(folder);
    await store.set("grants https://mcp.example.com", [{ accessToken: "secret" }]);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const [file = "", ...others] = readdirSync(folder);
    assert.deepEqual(others, []);
    assert.match(file, /^grants_https_mcp\.example\.com-[0-9a-f]{16}\.json$/);
    assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600);
    chmodSync(join(folder, file), 0o644);
    await assert.rejects(async () => await store.get("grants https://mcp.example.com"), {
      message: `${join(folder, file)}: expected a file that only its owner can read, got mode 644`,
    });
  });

  test("what was cut off is as good as nothing", async (t) => {
    const folder = folderFor(t);
    const store = fileStore(pathToFileURL(folder));
    await store.set("a", { x: 1 });
    const [file = ""] = readdirSync(folder);
    for (const text of ['{"x":', "", "7", "null"]) {
      writeFileSync(join(folder, file), text);
      assert.equal(await store.get("a"), undefined);
    }
  });

  test("~/ is the person's home", async (t) => {
    const home = folderFor(t);
    const child = run(t, "increment", "~/.config/files", "1", { HOME: home, USERPROFILE: home });
    assert.equal(await codeOf(child), 0);
    assert.deepEqual(await fileStore(join(home, ".config/files")).get("number"), { value: 1 });
  });

  test("processes take turns", { timeout: 60_000 }, async (t) => {
    const folder = folderFor(t);
    const children = Array.from({ length: 4 }, () => run(t, "increment", folder, "25"));
    assert.deepEqual(await Promise.all(children.map(codeOf)), [0, 0, 0, 0]);
    assert.deepEqual(await fileStore(folder).get("number"), { value: 100 });
    assert.equal(readdirSync(folder).length, 1);
  });

  test("the lock of a process that was killed is free", { timeout: 60_000 }, async (t) => {
    const folder = folderFor(t);
    const child = run(t, "hold", folder, "a");
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    let entered = false;
    const entering = fileStore(folder).lock("a", async () => (entered = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(entered, false);
    child.kill("SIGKILL");
    await codeOf(child);
    // Long before its silence alone would tell.
    const late = new Promise((resolve) => setTimeout(resolve, 10_000, "late").unref());
    assert.equal(await Promise.race([entering, late]), true);
    assert.deepEqual(readdirSync(folder), []);
  });

  test("a lock that can't be read is an error that names it, and not awaited for ever", async (t) => {
    const folder = folderFor(t);
    const store = fileStore(folder);
    let name = "";
    await store.lock("a", async () => ([name = ""] = readdirSync(folder)));
    mkdirSync(join(folder, name));
    await assert.rejects(
      store.lock("a", async () => {}),
      { code: "EISDIR" },
    );
    await store.lock("b", async () => {});
  });

  test("L11: a life without an end doesn't have a token refreshed all the time", async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true, tokens: { expires_in: 1e308 } });
    const server = await resource(t, { issuer });
    const store = fileStore(folderFor(t));
    for (let count = 0; count < 3; count++)
      assert.equal((await withAuth(fetch, { ...person(), store })(server.url)).status, 200);
    assert.equal(issuer.tokenRequests.length, 1);
  });

  test("L01: processes that share it refresh once", { timeout: 60_000 }, async (t) => {
    const issuer = await Issuer.start(t, { refreshTokens: true });
    const server = await resource(t, { issuer });
    const folder = folderFor(t);
    assert.equal((await withAuth(fetch, { ...person(), store: fileStore(folder) })(server.url)).status, 200);
    issuer.valid.clear();
    const children = Array.from({ length: 3 }, () => run(t, "request", folder, server.url));
    assert.deepEqual(await Promise.all(children.map(codeOf)), [0, 0, 0]);
    assert.deepEqual(
      issuer.tokenRequests.map((form) => form.get("grant_type")),
      ["authorization_code", "refresh_token"],
    );
  });
});
