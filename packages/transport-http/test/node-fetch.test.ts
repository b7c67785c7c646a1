import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { type TestContext, describe, test } from "node:test";
import { nodeFetch } from "../src/node/index.ts";
import { type Script, scripted } from "./scripted.ts";
import { eventually, freePort, listening, pause } from "./serve.ts";

const fetched = async (t: TestContext, script: Script, init: RequestInit = {}): Promise<Response> =>
  await nodeFetch((await scripted(t, script)).url, init);

/** A server that answers the first request by hand, and its URL. */
async function answering(t: TestContext, answer: (response: ServerResponse) => void): Promise<string> {
  const port = await listening(t, (_request, response) => answer(response as ServerResponse));
  return `http://localhost:${port}/`;
}

describe("nodeFetch", () => {
  test("sends method, headers of any form, and text", async (t) => {
    const server = await scripted(t, ({ headers, body, method }) => [200, { method, body, one: headers["x-one"] }]);
    const body = JSON.stringify({ text: "Zürich" });
    for (const headers of [{ "X-One": "1" }, new Headers({ "X-One": "1" }), [["X-One", "1"]] as [string, string][]]) {
      const response = await nodeFetch(server.url, { method: "POST", headers, body });
      assert.deepEqual(await response.json(), { method: "POST", body: { text: "Zürich" }, one: "1" });
    }
    assert.equal(server.asked[0]?.headers["content-length"], "18");
    assert.equal(server.asked[0]?.headers["accept-encoding"], "identity");
  });

  test("gives a Response: status, headers, and the body once, in every form", async (t) => {
    const url = (await scripted(t, () => [201, "\uFEFFtext", { "X-A": "1", "Set-Cookie": "a=1" }])).url;
    const get = (): Promise<Response> => nodeFetch(url);
    const response = await get();
    assert.ok(response instanceof Response);
    assert.deepEqual([response.status, response.ok, response.statusText], [201, true, "Created"]);
    assert.equal(response.headers.get("x-a"), "1");
    assert.deepEqual(response.headers.getSetCookie(), ["a=1"]);
    assert.equal(response.bodyUsed, false);
    assert.equal(await response.text(), "text");
    assert.equal(response.bodyUsed, true);
    assert.throws(() => response.text(), TypeError);
    assert.equal(new TextDecoder().decode(await (await get()).arrayBuffer()), "text");
    assert.equal((await (await get()).blob()).size, 7);
    const streamed = await get();
    let text = "";
    for await (const chunk of streamed.body!) text += new TextDecoder().decode(chunk as Uint8Array);
    assert.equal(text, "text");
    assert.equal(streamed.bodyUsed, true);
    const twice = await get();
    const copy = twice.clone();
    assert.deepEqual([await twice.text(), await copy.text()], ["text", "text"]);
  });

  test("statuses without a body", async (t) => {
    for (const status of [204, 304]) {
      const response = await fetched(t, () => [status]);
      assert.deepEqual([response.status, response.body, await response.text()], [status, null, ""]);
    }
    assert.equal(await (await fetched(t, () => [202, undefined, { "Content-Length": "0" }])).text(), "");
  });

  test("characters that come in pieces", async (t) => {
    const bytes = Buffer.from("Zürich 🙂");
    const url = await answering(t, (response) => {
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    });
    assert.equal(await (await nodeFetch(url)).text(), "Zürich 🙂");
  });

  test("a connection is used again", async (t) => {
    const ports = new Set<unknown>();
    const url = await answering(t, (response) => {
      ports.add(response.socket?.remotePort);
      response.end("ok");
    });
    for (let i = 0; i < 3; i++) await (await nodeFetch(url)).text();
    assert.equal(ports.size, 1);
  });

  test("a redirect is given as it is", async (t) => {
    const response = await fetched(t, () => [307, undefined, { Location: "/other", "Content-Length": "0" }]);
    assert.deepEqual([response.status, response.headers.get("location")], [307, "/other"]);
  });

  test("the signal's reason, before, while waiting, and while reading", async (t) => {
    const reason = new Error("enough");
    const never = await answering(t, () => {});
    await assert.rejects(nodeFetch(never, { signal: AbortSignal.abort(reason) }), reason);
    const waiting = new AbortController();
    const response = nodeFetch(never, { signal: waiting.signal });
    setTimeout(() => waiting.abort(reason), 20);
    await assert.rejects(response, reason);

    let gone = 0;
    const half = await answering(t, (each) => {
      each.write("half");
      each.on("close", () => gone++);
    });
    for (const read of [
      (each: Response) => each.text(),
      async (each: Response) => {
        for await (const _ of each.body!);
      },
    ]) {
      const reading = new AbortController();
      const started = await nodeFetch(half, { signal: reading.signal });
      setTimeout(() => reading.abort(reason), 20);
      await assert.rejects(read(started), reason);
    }
    await eventually(() => gone === 2);
  });

  test("cancelling the body closes the connection", async (t) => {
    let gone = false;
    const url = await answering(t, (response) => {
      response.write("half");
      response.on("close", () => (gone = true));
    });
    await (await nodeFetch(url)).body?.cancel();
    await eventually(() => gone);
  });

  test("failures are TypeErrors with a cause, as fetch has them", async (t) => {
    const refused = nodeFetch(`http://127.0.0.1:${await freePort()}`);
    await assert.rejects(refused, (error: TypeError & { cause?: { code?: string } }) => {
      assert.ok(error instanceof TypeError);
      assert.equal(error.cause?.code, "ECONNREFUSED");
      return true;
    });
    const cut = await answering(t, (response) => {
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    const response = await nodeFetch(cut);
    await assert.rejects(response.text(), TypeError);
    await assert.rejects(nodeFetch("ftp://localhost/"), /nodeFetch knows http: and https:/);
    await assert.rejects(nodeFetch(cut, { method: "POST", body: new Blob(["x"]) }), /nodeFetch sends text, or no body/);
  });

  test("a body that broke off before it is read", async (t) => {
    const url = await answering(t, (response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("half", () => response.destroy());
    });
    for (const read of [
      (each: Response) => each.text(),
      (each: Response) => each.json(),
      (each: Response) => each.arrayBuffer(),
    ]) {
      const response = await nodeFetch(url);
      await pause(50);
      await assert.rejects(read(response), { name: "TypeError", message: "fetch failed" });
    }
  });

  test("a signal whose reason is no error, and one that aborts before the body is read", async (t) => {
    const half = await answering(t, (response) => void response.write("half"));
    for (const reason of [null, 0, "enough"]) {
      const reading = new AbortController();
      const { signal } = reading;
      const text = (await nodeFetch(half, { signal })).text();
      const later = await nodeFetch(half, { signal });
      reading.abort(reason);
      const caught: unknown[] = [];
      await text.catch((error: unknown) => caught.push(error));
      await pause(10);
      await later.text().catch((error: unknown) => caught.push(error));
      assert.deepEqual(caught, [reason, reason]);
    }
  });

  test("a server that switches protocols has not answered", async (t) => {
    const url = await answering(t, (response) => {
      response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
    });
    await assert.rejects(nodeFetch(url), (error: TypeError & { cause?: Error }) => {
      assert.match(error.cause?.message ?? "", /The server has switched to another protocol/);
      return error instanceof TypeError;
    });
  });

  test("what is compressed although nobody asked for it is refused", async (t) => {
    const response = fetched(t, () => [200, "x", { "Content-Encoding": "gzip" }]);
    await assert.rejects(response, (error: TypeError & { cause?: Error }) => {
      assert.match(error.cause?.message ?? "", /the answer is in "gzip", which was not asked for/);
      return true;
    });
  });
});
