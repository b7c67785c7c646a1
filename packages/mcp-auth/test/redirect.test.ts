import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AuthError, LoginRequired, type Store, finishLogin, memoryStore, redirect, withAuth } from "../src/index.ts";
import { gate } from "./gate.ts";
import { Issuer } from "./issuer.ts";
import { resource } from "./resource.ts";

const CALLBACK = "https://app.example.com/callback";

/** What a web application sends a person to. */
async function loginUrl(url: string, store: Store): Promise<string> {
  const outcome: unknown = await withAuth(fetch, { flow: redirect(CALLBACK), store })(url).catch((error) => error);
  assert.ok(LoginRequired.is(outcome) && AuthError.is(outcome), String(outcome));
  return outcome.loginUrl;
}

/** Where the person comes back to. */
const comesBack = async (page: string): Promise<URL> => {
  const response = await fetch(page, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "");
};

describe("logging in by a redirect", () => {
  test("the request fails with the page, and works once the person is back", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const provider = { flow: redirect(CALLBACK), store };
    const page = await loginUrl(server.url, store);
    assert.equal(issuer.tokenRequests.length, 0);
    await finishLogin(provider, await comesBack(page));
    const response = await withAuth(fetch, provider)(server.url);
    assert.equal(response.status, 200);
    assert.equal(issuer.tokenRequests[0]?.get("redirect_uri"), CALLBACK);
    assert.equal(issuer.registrations[0]?.["application_type"], "web");
    assert.equal(await store.get("logins"), undefined);
  });

  test("L13, AUTH-56, AUTH-59: a forged answer is refused and doesn't use up the right one", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const provider = { flow: redirect(CALLBACK), store };
    const back = await comesBack(await loginUrl(server.url, store));
    for (const change of [
      (query: URLSearchParams) => query.set("iss", "https://evil.example.com"),
      (query: URLSearchParams) => query.set("iss", `${issuer.issuer}/`),
      (query: URLSearchParams) => query.delete("iss"),
      (query: URLSearchParams) => query.set("state", "forged"),
      (query: URLSearchParams) => query.delete("state"),
      (query: URLSearchParams) => query.delete("code"),
    ]) {
      const forged = new URL(back);
      change(forged.searchParams);
      await assert.rejects(finishLogin(provider, forged), { name: "AuthError", step: "authorization" });
    }
    assert.deepEqual(issuer.tokenRequests, []);
    await finishLogin(provider, back);
    assert.equal(issuer.tokenRequests.length, 1);
  });

  test("SEC-23: an answer is good once, and for 10 minutes", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const provider = { flow: redirect(CALLBACK), store };
    const [first, second] = [await loginUrl(server.url, store), await loginUrl(server.url, store)];
    const back = await comesBack(first);
    const outcomes = await Promise.allSettled([finishLogin(provider, back), finishLogin(provider, back)]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    await assert.rejects(finishLogin(provider, back), { step: "authorization" });
    const logins = (await store.get("logins")) as { begun: number }[];
    await store.set(
      "logins",
      logins.map((login) => ({ ...login, begun: Date.now() - 10 * 60_000 })),
    );
    await assert.rejects(finishLogin(provider, await comesBack(second)), {
      message: /expected the answer to a login of the last 10 minutes that is not finished, got another$/,
    });
    assert.equal(issuer.tokenRequests.length, 1);
  });

  test("logins that nobody finishes don't pile up", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const store = memoryStore();
    const pages: string[] = [];
    for (let count = 0; count < 105; count++) pages.push(await loginUrl(server.url, store));
    assert.equal(((await store.get("logins")) as unknown[]).length, 100);
    for (const page of [pages[5], pages[104]])
      await finishLogin({ flow: redirect(CALLBACK), store }, await comesBack(page ?? ""));
  });

  test("a step-up is asked for until the person has answered", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer, needs: (body) => (body === "" ? [] : [body]) });
    const store = memoryStore();
    const provider = { flow: redirect(CALLBACK), store };
    await finishLogin(provider, await comesBack(await loginUrl(server.url, store)));
    const authorized = withAuth(fetch, provider);
    const post = (): Promise<Response> => authorized(server.url, { method: "POST", body: "write" });
    await assert.rejects(post(), LoginRequired);
    const wrapped = await post().catch((error: unknown) => new Error("not sent", { cause: error }));
    const login = LoginRequired.of(wrapped);
    assert.ok(login && AuthError.of(wrapped) === login);
    await finishLogin(provider, await comesBack(login.loginUrl));
    assert.equal((await post()).status, 200);
    assert.deepEqual(
      [LoginRequired.of(new Error("x")), AuthError.of("x"), AuthError.of(undefined)],
      [undefined, undefined, undefined],
    );
  });

  test("AUTH-94: logins at once for servers of one issuer each end as the client that began them", async (t) => {
    const both = gate();
    let registering = 0;
    const issuer = await Issuer.start(t, {
      first: async ({ path }) => {
        if (path === "/register" && ++registering === 2) both.open();
        if (path === "/register") await both.pass();
        return undefined;
      },
    });
    const servers = await Promise.all([1, 2].map(() => resource(t, { issuer })));
    const store = memoryStore();
    const provider = { flow: redirect(CALLBACK), store };
    for (const page of await Promise.all(servers.map(({ url }) => loginUrl(url, store))))
      await finishLogin(provider, await comesBack(page));
    assert.deepEqual(
      issuer.tokenRequests.map((form) => form.get("client_id")),
      issuer.authorizationRequests.map((query) => query.get("client_id")),
    );
  });

  test("what somebody else has put into the store is no login", async (t) => {
    const issuer = await Issuer.start(t);
    const server = await resource(t, { issuer });
    const store = memoryStore();
    await store.set("logins", [null, {}, { begun: "now" }]);
    await finishLogin({ flow: redirect(CALLBACK), store }, await comesBack(await loginUrl(server.url, store)));
  });

  test("mistakes show at once", async () => {
    assert.throws(() => redirect("http://app.example.com/callback"), TypeError);
    await assert.rejects(finishLogin({ flow: redirect(CALLBACK) }, CALLBACK), TypeError);
  });
});
