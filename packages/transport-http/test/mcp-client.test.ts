import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, describe, test } from "node:test";
import { AbortError, TimeoutError } from "@x/jsonrpc";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";
import { HttpError, type HttpOptions, SessionError, StreamError, http } from "../src/index.ts";
import {
  type Script,
  type Scripted,
  event,
  handshake,
  initialized,
  result,
  scripted,
  stream,
  toolText,
} from "./scripted.ts";
import { eventually, pause } from "./serve.ts";

const info = { name: "client", version: "1.0.0" };

/** A client, and the scripted server that it is connected to. */
async function connected(
  t: TestContext,
  script: Script,
  options: HttpOptions & { readonly connect?: ConnectOptions } = {},
): Promise<{ readonly client: Client; readonly server: Scripted }> {
  const server = await scripted(t, script);
  const { connect: how, ...rest } = options;
  const client = await connect(http(server.url, rest), info, { onError: () => {}, ...how });
  t.after(() => client.close());
  return { client, server };
}

const FAST = { reconnect: { initial: 20, attempts: 3 } };

/** The ways that a stream is over. */
const ENDS: readonly (readonly [string, (response: Parameters<Script>[1]) => void])[] = [
  ["ends", (response) => void response.end()],
  ["breaks", (response) => void response.destroy()],
];

/** Answers tools/call with text, and leaves the rest alone. */
const tools: Script = (asked) => (asked.body["method"] === "tools/call" ? [200, toolText(asked, "ok")] : undefined);

const texts = async (client: Client, name = "x"): Promise<unknown> => (await client.callTool(name)).content;
const OK = [{ type: "text", text: "ok" }];

describe("MCP client over HTTP, handshake", () => {
  test("LIFE-17 HTTP-08 HTTP-09 HTTP-56 HTTP-64 HTTP-65 HTTP-81: headers of each request", async (t) => {
    const { client, server } = await connected(t, handshake(tools));
    assert.deepEqual(await texts(client), OK);
    await eventually(() => server.of("GET").length === 1);
    await client.close();
    const [initialize] = server.of("POST", "initialize");
    assert.equal(initialize?.headers["mcp-protocol-version"], undefined);
    assert.equal(initialize?.headers["mcp-session-id"], undefined);
    for (const one of server.of("POST")) {
      assert.equal(one.headers.accept, "application/json, text/event-stream");
      assert.equal(one.headers["content-type"], "application/json");
    }
    const later = [
      ...server.of("POST", "tools/call"),
      ...server.of("POST", "notifications/initialized"),
      ...server.of("GET"),
      ...server.of("DELETE"),
    ];
    assert.equal(later.length, 4);
    for (const { headers } of later) {
      assert.equal(headers["mcp-session-id"], "s1");
      assert.equal(headers["mcp-protocol-version"], "2025-11-25");
      assert.equal(headers["mcp-method"], undefined);
    }
    assert.equal(server.of("GET")[0]?.headers.accept, "text/event-stream");
  });

  test("2025-03-26 knows no version header", async (t) => {
    const { client, server } = await connected(t, handshake(tools, { version: "2025-03-26" }));
    await texts(client);
    assert.equal(server.of("POST", "tools/call")[0]?.headers["mcp-protocol-version"], undefined);
  });

  for (const [what, script] of [
    ["202 and no type", () => [202]],
    ["202 and text", () => [202, "Accepted", { "Content-Type": "text/plain" }]],
    ["204", () => [204]],
    ["200 and nothing", () => [200, undefined, { "Content-Length": "0" }]],
    ["200, chunked and empty", () => [200, undefined, { "Transfer-Encoding": "chunked" }]],
    ["200 and null", () => [200, "null", { "Content-Type": "application/json" }]],
  ] as const satisfies [string, Script][])
    test(`C09: ${what} to a notification`, async (t) => {
      const { client } = await connected(
        t,
        handshake((asked, ...rest) =>
          asked.body["method"] === "notifications/initialized" ? script() : tools(asked, ...rest),
        ),
      );
      assert.deepEqual(await texts(client), OK);
    });

  for (const status of [400, 404, 405, 406, 501, 500])
    test(`C08: ${status} to the GET costs nothing`, async (t) => {
      const { client, server } = await connected(
        t,
        handshake((asked, ...rest) => (asked.method === "GET" ? [status] : tools(asked, ...rest))),
        FAST,
      );
      assert.deepEqual(await texts(client), OK);
      await eventually(() => server.of("GET").length === 1);
      await pause(100);
      assert.equal(server.of("GET").length > 1, status === 500);
      assert.deepEqual(await texts(client), OK);
    });

  test("why the GET can't be sent is told, once until it could", async (t) => {
    const reported: unknown[] = [];
    let tries = 0;
    const reason = new Error("no token");
    const { client } = await connected(t, handshake(tools), {
      ...FAST,
      fetch: (input, init) => {
        if (init?.method !== "GET") return fetch(input, init);
        tries++;
        return Promise.reject(reason);
      },
      onError: (error) => void reported.push((error as Error).cause),
    });
    await eventually(() => tries >= 3);
    assert.deepEqual(await texts(client), OK);
    assert.deepEqual(reported, [reason]);
  });

  test("C11: a client that doesn't want to listen opens no stream", async (t) => {
    const { client, server } = await connected(t, handshake(tools), { listen: false });
    await texts(client);
    await pause(20);
    assert.equal(server.of("GET").length, 0);
  });

  test("C12: what a server asks on the GET stream is answered, and the stream has the session's id", async (t) => {
    const { server } = await connected(
      t,
      handshake((asked, response) => {
        if (asked.method !== "GET") return undefined;
        if (asked.headers["mcp-session-id"] !== "s1") return [400];
        return void stream(response, event({ jsonrpc: "2.0", id: "r", method: "roots/list" }));
      }),
      { connect: { roots: () => [{ uri: "file:///a" }] } },
    );
    await eventually(() => server.asked.some(({ body }) => body["id"] === "r"));
    const answer = server.asked.find(({ body }) => body["id"] === "r");
    assert.deepEqual(answer?.body["result"], { roots: [{ uri: "file:///a" }] });
    assert.equal(answer?.headers["mcp-session-id"], "s1");
  });

  test("C03: a GET stream without event ids is opened again, without Last-Event-ID", async (t) => {
    const { server } = await connected(
      t,
      handshake(({ method }, response) => {
        if (method === "GET") stream(response, event({ jsonrpc: "2.0", method: "notifications/foo" })).end();
      }),
      FAST,
    );
    await eventually(() => server.of("GET").length >= 3);
    assert.ok(server.of("GET").every(({ headers }) => headers["last-event-id"] === undefined));
  });

  test("HTTP-48: with them it goes on from the last one", async (t) => {
    const heard: string[] = [];
    const { client, server } = await connected(
      t,
      handshake(({ method, headers }, response) => {
        if (method !== "GET") return;
        heard.push(String(headers["last-event-id"]));
        stream(
          response,
          event({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }, `e${heard.length}`),
        ).end();
      }),
      FAST,
    );
    assert.ok(client);
    await eventually(() => server.of("GET").length >= 3);
    assert.deepEqual(heard.slice(0, 3), ["undefined", "e1", "e2"]);
  });

  test("E03: an event that the server doesn't know any more is not asked for twice", async (t) => {
    let gets = 0;
    const { server } = await connected(
      t,
      handshake(({ method, headers }, response) => {
        if (method !== "GET") return undefined;
        if (headers["last-event-id"] !== undefined) return [400];
        if (++gets > 1) return void stream(response);
        return void stream(response, event({ jsonrpc: "2.0", method: "x" }, "old")).end();
      }),
      FAST,
    );
    await eventually(() => gets === 2);
    assert.deepEqual(
      server.of("GET").map(({ headers }) => headers["last-event-id"]),
      [undefined, "old", undefined],
    );
  });

  test("C10: that an idle stream is cut off is nothing to report", async (t) => {
    const reported: unknown[] = [];
    const { server } = await connected(
      t,
      handshake(({ method }, response) => {
        if (method !== "GET") return;
        stream(response, ":\n\n");
        setTimeout(() => response.destroy(), 10);
      }),
      {
        ...FAST,
        onError: (error) => void reported.push(error),
        connect: { onError: (error) => void reported.push(error) },
      },
    );
    await eventually(() => server.of("GET").length >= 3);
    assert.deepEqual(reported, []);
  });

  test("C07 HTTP-33: retry is obeyed, and what is none is ignored", async (t) => {
    const delays = ["retry: 200\n\n", "retry: 20ms\n\nretry: -1\n\n", ""];
    const { server } = await connected(
      t,
      handshake(({ method }, response, all) => {
        if (method !== "GET") return;
        const count = all.filter((one) => one.method === "GET").length;
        stream(response, delays[count - 1] ?? "").end();
      }),
      { reconnect: { initial: 1 } },
    );
    await eventually(() => server.of("GET").length >= 3);
    const [first, second, third] = server.of("GET").map(({ at }) => at) as [number, number, number];
    assert.ok(second - first >= 190 && third - second >= 190, `${second - first} ${third - second}`);
  });

  test("HTTP-74 HTTP-82: comments, other events and events without data are no messages", async (t) => {
    const reported: unknown[] = [];
    const { client } = await connected(
      t,
      handshake((asked, response) => {
        if (asked.body["method"] !== "tools/call") return;
        const answer = toolText(asked, "ok");
        stream(
          response,
          ": hi\n\n",
          "data:\n\n",
          "id: 7\ndata: \n\n",
          "event: ping\ndata: {}\n\n",
          "foo: bar\n\n",
          ":\r\n\r\n",
        );
        response.end(`event: message\r\ndata: ${JSON.stringify(answer)}\r\n\r\n`);
      }),
      { connect: { onError: (error) => void reported.push(error) } },
    );
    assert.deepEqual(await texts(client), OK);
    assert.deepEqual(reported, []);
  });

  for (const [what, end] of ENDS)
    test(`C02: a stream that ${what} before the answer rejects the call at once`, async (t) => {
      const { client } = await connected(
        t,
        handshake(({ body }, response) => {
          if (body["method"] !== "tools/call") return;
          stream(response, ": hi\n\n");
          setTimeout(() => end(response), 20);
        }),
      );
      await assert.rejects(client.callTool("x"), StreamError);
    });

  test("C02: so does one that is empty", async (t) => {
    const { client } = await connected(
      t,
      handshake(({ body }, response) => (body["method"] === "tools/call" ? void stream(response).end() : undefined)),
    );
    await assert.rejects(client.callTool("x"), StreamError);
  });

  for (const [whose, fetch] of [
    ["the global", globalThis.fetch],
    ["another library's", foreignFetch],
  ] as const)
    test(`C02 E04 HTTP-32: a stream with event ids is resumed by ${whose} fetch, after what the server asks for`, async (t) => {
      let call: Parameters<Script>[0] | undefined;
      const { client, server } = await connected(
        t,
        handshake((asked, response) => {
          if (asked.body["method"] === "tools/call") {
            call = asked;
            return void stream(response, "id: a1\nretry: 150\ndata: \n\n").end();
          }
          if (asked.method !== "GET" || asked.headers["last-event-id"] === undefined) return undefined;
          if (asked.headers["last-event-id"] === "a1") return void stream(response, "id: a2\ndata: \n\n").end();
          return void stream(response, event(toolText(call!, "ok"), "a3")).end();
        }),
        { ...FAST, fetch },
      );
      assert.deepEqual(await texts(client), OK);
      const resumed = server.of("GET").filter(({ headers }) => headers["last-event-id"] !== undefined);
      assert.deepEqual(
        resumed.map(({ headers }) => headers["last-event-id"]),
        ["a1", "a2"],
      );
      assert.ok(resumed[0]!.at - call!.at >= 145);
      assert.equal(server.of("POST", "tools/call").length, 1);
    });

  test("C02: a stream that can't be resumed rejects the call, soon", async (t) => {
    for (const refuse of [400, 503]) {
      const { client, server } = await connected(
        t,
        handshake(({ method, body, headers }, response) => {
          if (body["method"] === "tools/call") return void stream(response, "id: a1\ndata: \n\n").end();
          return method === "GET" && headers["last-event-id"] ? [refuse] : undefined;
        }),
        FAST,
      );
      await assert.rejects(client.callTool("x"), StreamError);
      const resumes = server.of("GET").filter(({ headers }) => headers["last-event-id"] !== undefined).length;
      assert.equal(resumes, refuse === 400 ? 1 : 3);
    }
  });

  for (const [what, end] of ENDS)
    test(`a server that hands out streams, each of which ${what}, and nothing else is not asked for ever`, async (t) => {
      const { client, server } = await connected(
        t,
        handshake(({ method, body, headers }, response) => {
          if (body["method"] === "tools/call") stream(response, "id: a1\ndata: \n\n").end();
          else if (method === "GET" && headers["last-event-id"]) end(stream(response));
        }),
        FAST,
      );
      await assert.rejects(client.callTool("x"), StreamError);
      assert.ok(server.of("GET").length < 8);
    });

  test("a server that wants to be asked at once, again and again, is given a moment", async (t) => {
    let asked = 0;
    const { client } = await connected(
      t,
      handshake(({ method, body, headers }, response) => {
        if (body["method"] === "tools/call") return void stream(response, "id: a1\nretry: 0\ndata: \n\n").end();
        if (method !== "GET" || !headers["last-event-id"]) return undefined;
        asked++;
        return void stream(response, `id: a${asked + 1}\ndata: \n\n`).end();
      }),
      { reconnect: { attempts: 1 } },
    );
    await assert.rejects(client.callTool("x", {}, { timeout: 500 }), TimeoutError);
    assert.ok(asked > 0 && asked <= 60, String(asked));
  });

  test("C13: a session id in a refusal is none", async (t) => {
    const { client, server } = await connected(t, (asked, ...rest) => {
      if (asked.body["method"] === "server/discover")
        return [
          400,
          { jsonrpc: "2.0", error: { code: -32000, message: "Bad Request" }, id: null },
          { "Mcp-Session-Id": "X" },
        ];
      return handshake(tools)(asked, ...rest);
    });
    await texts(client);
    assert.equal(server.of("POST", "initialize")[0]?.headers["mcp-session-id"], undefined);
    assert.equal(server.of("POST", "tools/call")[0]?.headers["mcp-session-id"], "s1");
  });

  test("HTTP-60 Q68: a session that has ended is started anew, once, and the calls are sent again", async (t) => {
    let session = 1;
    const { client, server } = await connected(
      t,
      (asked, ...rest) => {
        const given = asked.headers["mcp-session-id"];
        if (given !== undefined && given !== `s${session}`) return [404, { error: "Session not found" }];
        return handshake(tools, { session: `s${session}` })(asked, ...rest);
      },
      { listen: false },
    );
    await texts(client);
    session = 2;
    assert.deepEqual(await Promise.all([texts(client), texts(client), texts(client)]), [OK, OK, OK]);
    assert.equal(server.of("POST", "initialize").length, 2);
    assert.equal(server.of("POST", "initialize")[1]?.headers["mcp-session-id"], undefined);
    assert.equal(server.of("POST", "notifications/initialized").length, 2);
    const [, ...again] = server.of("POST", "tools/call").filter(({ headers }) => headers["mcp-session-id"] === "s2");
    assert.equal(again.length, 2);
  });

  test("HTTP-60: a call that is made while a session is started anew goes into the new one", async (t) => {
    let session = 1;
    let isOpening = false;
    const { client, server } = await connected(
      t,
      (asked, response, ...rest) => {
        const given = asked.headers["mcp-session-id"];
        const isNew = asked.body["method"] === "initialize";
        if (given === undefined && !isNew && session === 2) return [400, { error: "Mcp-Session-Id is missing" }];
        if (given !== undefined && given !== `s${session}`) return [404, { error: "Session not found" }];
        const answer = handshake(tools, { session: `s${session}` })(asked, response, ...rest);
        if (!isNew || session === 1 || !answer) return answer;
        isOpening = true;
        const [status, body, headers] = answer;
        const type = { "Content-Type": "application/json" };
        setTimeout(() => response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body)), 60);
        return undefined;
      },
      { listen: false },
    );
    await texts(client);
    session = 2;
    const first = texts(client);
    await eventually(() => isOpening);
    assert.deepEqual(await Promise.all([first, texts(client)]), [OK, OK]);
    assert.equal(server.of("POST", "initialize").length, 2);
  });

  test("a client that only listens finds its way back to a server that is slow to start again", async (t) => {
    let session = 1;
    let opened = 0;
    const heard: string[] = [];
    const { server } = await connected(
      t,
      (asked, response, ...rest) => {
        const given = asked.headers["mcp-session-id"];
        if (given !== undefined && given !== `s${session}`) return [404, { error: "Session not found" }];
        if (asked.body["method"] === "initialize" && session === 2 && ++opened === 1) return [503, "starting"];
        if (asked.method === "GET") {
          heard.push(String(given));
          const events = stream(response, ": here\n\n");
          if (session === 1) setTimeout(() => events.end(), 10);
          session = 2;
          return undefined;
        }
        return handshake(tools, { session: `s${session}` })(asked, response, ...rest);
      },
      FAST,
    );
    await eventually(() => heard.includes("s2"));
    assert.equal(server.of("POST", "initialize").length, 3);
  });

  test("a call whose session ends while it runs rejects: it may have run", async (t) => {
    const { client } = await connected(
      t,
      handshake(({ method, body, headers }, response) => {
        if (body["method"] === "tools/call") return void stream(response, "id: a1\ndata: \n\n").end();
        return method === "GET" && headers["last-event-id"] ? [404] : undefined;
      }),
      FAST,
    );
    await assert.rejects(client.callTool("x"), SessionError);
  });

  test("a server that forgets each session at once is not asked for ever", async (t) => {
    const { client, server } = await connected(
      t,
      handshake(({ body }) => (body["method"] === "tools/call" ? [404, "gone"] : undefined)),
      { listen: false },
    );
    await assert.rejects(client.callTool("x"), HttpError);
    assert.equal(server.of("POST", "tools/call").length, 2);
  });

  test("CANC-12: cancelling is said to the server, and its stream is closed", async (t) => {
    let closed = false;
    const { client, server } = await connected(
      t,
      handshake(({ body }, response) => {
        if (body["method"] === "notifications/cancelled") return [202];
        return body["method"] === "tools/call" ? void stream(response).on("close", () => (closed = true)) : undefined;
      }),
    );
    const stop = new AbortController();
    const call = client.callTool("x", {}, { signal: stop.signal });
    await eventually(() => server.of("POST", "tools/call").length === 1);
    stop.abort();
    await assert.rejects(call, AbortError);
    await eventually(() => closed && server.of("POST", "notifications/cancelled").length === 1);
    await assert.rejects(client.callTool("x", {}, { timeout: 30 }), TimeoutError);
  });

  test("HTTP-55: no error shows the session's id", async (t) => {
    const { client } = await connected(
      t,
      handshake(({ body }) => (body["method"] === "tools/call" ? [500, "broken"] : undefined), {
        session: "secret-id",
      }),
    );
    const error = await client.callTool("x").catch((reason: unknown) => reason);
    assert.ok(error instanceof HttpError);
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /secret-id/);
  });

  test("C16: close doesn't hang on a server that never answers the DELETE", async (t) => {
    const script = handshake(tools);
    const { client, server } = await connected(
      t,
      (asked, ...rest) => (asked.method === "DELETE" ? undefined : script(asked, ...rest)),
      { closeTimeout: 50 },
    );
    const start = performance.now();
    await client.close();
    assert.ok(performance.now() - start < 2000);
    assert.equal(server.of("DELETE").length, 1);
  });

  test("HTTP-61 HTTP-62: DELETE may be refused", async (t) => {
    for (const status of [405, 404, 400]) {
      const { client, server } = await connected(
        t,
        handshake(({ method }) => (method === "DELETE" ? [status] : undefined)),
      );
      await client.close();
      assert.equal(server.of("DELETE").length, 1);
    }
  });

  test("C20: headers go with POST, GET and DELETE", async (t) => {
    const { client, server } = await connected(t, handshake(tools), { headers: { "X-A": "1" } });
    await texts(client);
    await eventually(() => server.of("GET").length > 0);
    await client.close();
    assert.equal(server.of("DELETE").length, 1);
    assert.ok(server.asked.every(({ headers }) => headers["x-a"] === "1"));
  });

  test("HTTP-19: either kind of answer; G01 ERA-09 ERA-10 ERA-12: any refusal of the probe leads to the handshake", async (t) => {
    const probes: Script[] = [
      ({ body }) => [200, { jsonrpc: "2.0", id: body["id"], error: { code: -32601, message: "Method not found" } }],
      ({ body }) => [200, { jsonrpc: "2.0", id: body["id"], error: { code: -32602, message: "before initialize" } }],
      () => [400, { jsonrpc: "2.0", error: { code: -32600, message: "Missing session ID" }, id: null }],
      () => [
        400,
        { jsonrpc: "2.0", error: { code: -32000, message: "Bad Request: Server not initialized" }, id: null },
      ],
      () => [400, "Invalid session ID"],
      () => [404],
      () => [405],
      (asked, response) =>
        void stream(
          response,
          event({ jsonrpc: "2.0", id: asked.body["id"], error: { code: -32601, message: "no" } }),
        ).end(),
    ];
    for (const probe of probes) {
      const { client } = await connected(t, (asked, response, all) => {
        if (asked.body["method"] === "server/discover") return probe(asked, response, all);
        if (asked.body["method"] === "initialize") return void stream(response, event(initialized(asked))).end();
        return handshake(tools, { session: null })(asked, response, all);
      });
      assert.equal(client.revision.version, "2025-11-25");
      assert.deepEqual(await texts(client), OK);
    }
  });

  test("Q72: 401, 403 and 5xx to the probe fail the connect", async (t) => {
    for (const status of [401, 403, 500, 503]) {
      const server = await scripted(t, () => [
        status,
        { jsonrpc: "2.0", error: { code: -32000, message: "x" }, id: null },
      ]);
      const error = await connect(http(server.url), info).catch((reason: unknown) => reason);
      assert.ok(error instanceof HttpError && error.status === status, String(error));
      assert.equal(server.of("POST", "initialize").length, 0);
    }
  });
});

test("what can't be reached is named, with the reason", async () => {
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  const { port } = gone.address() as AddressInfo;
  await once(gone.close(), "close");
  const url = `http://127.0.0.1:${port}/mcp`;
  await assert.rejects(connect(http(url), info), new RegExp(`POST ${url} failed: .*ECONNREFUSED`));
});

describe("MCP client over HTTP, servers of 2024-11-05", () => {
  for (const refusal of [[404], [405], [400, "no"], [404, { error: "no" }]] as const)
    test(`SSE-04 SSE-12 SSE-13 SSE-14: ${refusal[0]} to the POST leads to the GET`, async (t) => {
      const { client, server } = await connected(t, old([...refusal]));
      assert.equal(client.revision.version, "2024-11-05");
      assert.deepEqual(await texts(client), OK);
      assert.equal(server.of("POST", "tools/call")[0]?.url, "/messages?sessionId=1");
      await client.close();
    });

  test("SSE-14: 401 does not", async (t) => {
    const server = await scripted(t, old([401]));
    await assert.rejects(connect(http(server.url), info), HttpError);
    assert.equal(server.of("GET").length, 0);
  });

  test("SSE-15: nor does a refusal of a server that needs no handshake", async (t) => {
    const server = await scripted(t, ({ body }) => [
      404,
      { jsonrpc: "2.0", id: body["id"], error: { code: -32601, message: "Method not found" } },
    ]);
    await assert.rejects(connect(http(server.url), info));
    assert.equal(server.of("GET").length, 0);
  });

  test("SSE-09: the endpoint may be relative, and a POST answered with any 2xx", async (t) => {
    const script = old([404], "messages?sessionId=2");
    const { client, server } = await connected(t, (asked, response, all) => {
      const answer = script(asked, response, all);
      return answer?.[0] === 202 ? [200, "ok"] : answer;
    });
    assert.deepEqual(await texts(client), OK);
    assert.equal(server.of("POST", "tools/call")[0]?.url, "/messages?sessionId=2");
  });

  test("an endpoint at another origin is not posted to", async (t) => {
    const elsewhere = await scripted(t, () => [202]);
    const server = await scripted(t, old([404], elsewhere.url));
    await assert.rejects(connect(http(server.url), info), HttpError);
    assert.equal(elsewhere.asked.length, 0);
  });

  test("oldServers: false leaves them alone", async (t) => {
    const server = await scripted(t, old([404]));
    await assert.rejects(connect(http(server.url, { oldServers: false }), info), HttpError);
    assert.equal(server.of("GET").length, 0);
  });

  test("SSE-10: the end of the stream is the end of the connection", async (t) => {
    let end: (() => void) | undefined;
    const script = old([404]);
    const { client } = await connected(t, (asked, response, all) => {
      if (asked.method === "GET") end = () => response.end();
      return script(asked, response, all);
    });
    end!();
    assert.ok((await client.closed) instanceof StreamError);
    await assert.rejects(client.callTool("x"));
  });
});

describe("MCP client over HTTP, stateless", () => {
  test("HTTP-13 HDR-01 HDR-02 HDR-08 HDR-09 HDR-11 HDR-23: each POST mirrors what its body says", async (t) => {
    const { client, server } = await connected(
      t,
      modern((asked) => {
        if (asked.body["method"] === "resources/read")
          return [200, result(asked, { contents: [], ttlMs: 0, cacheScope: "private" })];
        if (asked.body["method"] === "prompts/get") return [200, result(asked, { messages: [] })];
        return "id" in asked.body ? [200, toolText(asked, "ok")] : [202];
      }),
    );
    await texts(client, "my-tool");
    await texts(client, "工具");
    await client.request("resources/read", { uri: "file:///path/to/file%20name.txt" });
    await client.request("prompts/get", { name: " padded " });
    await client.notify("com.example/note");
    for (const { headers, body } of server.asked) {
      assert.equal(headers["mcp-protocol-version"], "2026-07-28");
      assert.ok(typeof body["method"] === "string");
      assert.equal(headers["mcp-method"], body["method"]);
      assert.equal(headers["mcp-session-id"], undefined);
    }
    assert.deepEqual(
      server.asked.map(({ headers }) => headers["mcp-name"]),
      [
        undefined,
        "my-tool",
        "=?base64?5bel5YW3?=",
        "file:///path/to/file%20name.txt",
        "=?base64?IHBhZGRlZCA=?=",
        undefined,
      ],
    );
    await client.close();
    assert.deepEqual([server.of("GET").length, server.of("DELETE").length], [0, 0]);
  });

  test("a session id that a server gives all the same is ignored", async (t) => {
    const { client, server } = await connected(t, (asked, ...rest) => {
      const answer = modern(tools)(asked, ...rest);
      return answer && [answer[0], answer[1], { "Mcp-Session-Id": "zombie" }];
    });
    await texts(client);
    await client.close();
    assert.ok(
      server.asked.every(({ headers, method }) => headers["mcp-session-id"] === undefined && method === "POST"),
    );
  });

  test("HTTP-75 HTTP-76 Q67: a broken stream is never resumed", async (t) => {
    const { client, server } = await connected(
      t,
      modern((_asked, response) => void stream(response, "id: a1\ndata: \n\n").end()),
      FAST,
    );
    await assert.rejects(client.callTool("x"), StreamError);
    await pause(60);
    assert.equal(server.asked.length, 2);
  });

  test("CANC-15: closing the stream is all that cancelling takes", async (t) => {
    let closed = false;
    const { client, server } = await connected(
      t,
      modern((_asked, response) => void stream(response).on("close", () => (closed = true))),
    );
    const stop = new AbortController();
    const call = client.callTool("x", {}, { signal: stop.signal });
    await eventually(() => server.asked.length === 2);
    stop.abort();
    await assert.rejects(call, AbortError);
    await eventually(() => closed);
    assert.equal(server.asked.length, 2);
  });

  test("ERA-05 ERA-11: a version that is refused is asked for as the server says", async (t) => {
    const data = { supported: ["2026-07-28"], requested: "2026-07-28" };
    const { client, server } = await connected(t, (asked, response, all) =>
      all.length === 1
        ? [400, { jsonrpc: "2.0", id: asked.body["id"], error: { code: -32022, message: "no", data } }]
        : modern(tools)(asked, response, all),
    );
    assert.equal(client.revision.version, "2026-07-28");
    assert.equal(server.of("POST", "initialize").length, 0);
  });

  test("XMH-02 XMH-16 XMH-17 XMH-24 G13 G17: arguments are mirrored once the tool is known, each call's own", async (t) => {
    const { client, server } = await connected(
      t,
      modern((asked, ...rest) =>
        asked.body["method"] === "tools/list"
          ? [200, result(asked, { tools: [REGION()], ttlMs: 0, cacheScope: "private" })]
          : tools(asked, ...rest),
      ),
    );
    await client.callTool("x", { region: "cold" });
    await client.listTools();
    await Promise.all([
      client.callTool("x", { region: "a" }),
      client.callTool("x", { region: "b" }),
      client.callTool("x", {}),
      client.request("tools/call", { name: "x", arguments: { region: "raw\n" } }),
    ]);
    const regions = server
      .of("POST", "tools/call")
      .map(({ body, headers }) => [
        (body["params"] as { arguments?: { region?: string } }).arguments?.region,
        headers["mcp-param-region"],
      ]);
    assert.deepEqual(
      new Map(regions as [string, string][]),
      new Map([
        ["cold", undefined],
        ["a", "a"],
        ["b", "b"],
        [undefined, undefined],
        ["raw\n", "=?base64?cmF3Cg==?="],
      ] as never),
    );
  });

  test("XMH-11 XMH-12: tools that break the rules are left out, and named", async (t) => {
    const reported: string[] = [];
    const bad = {
      name: "bad",
      inputSchema: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
    };
    const { client } = await connected(
      t,
      modern((asked) => [200, result(asked, { tools: [bad, REGION()], ttlMs: 0, cacheScope: "private" })]),
      { connect: { onError: (error) => void reported.push(String(error)) } },
    );
    assert.deepEqual(
      (await client.listTools()).items.map(({ name }) => name),
      ["x"],
    );
    assert.equal(reported.length, 1);
    assert.match(
      reported[0]!,
      /"bad" is left out: x-mcp-header of a must be on a string, integer or boolean, got "number"/,
    );
  });

  test("XMH-22 XMH-23 G13: a tool whose headers have changed is listed again and called once more", async (t) => {
    let header = "Region";
    const { client, server } = await connected(
      t,
      modern((asked) => {
        const { body, headers } = asked;
        const params = body["params"] as { cursor?: string; arguments?: { region: string } };
        if (body["method"] === "tools/list")
          return params.cursor
            ? [200, result(asked, { tools: [REGION(header)], ttlMs: 0, cacheScope: "private" })]
            : [200, result(asked, { tools: [], nextCursor: "2", ttlMs: 0, cacheScope: "private" })];
        if (headers[`mcp-param-${header.toLowerCase()}`] === params.arguments?.region)
          return [200, toolText(asked, "ok")];
        return [400, { jsonrpc: "2.0", id: body["id"], error: { code: -32020, message: "Header mismatch" } }];
      }),
    );
    for await (const tool of client.tools()) assert.equal(tool.name, "x");
    assert.deepEqual((await client.callTool("x", { region: "a" })).content, OK);
    header = "Zone";
    assert.deepEqual((await client.callTool("x", { region: "b" })).content, OK);
    assert.equal(server.of("POST", "tools/list").length, 4);
    assert.equal(server.of("POST", "tools/call").length, 3);
  });

  for (const status of [413, 431])
    test(`XMH-27: ${status} is told as it is`, async (t) => {
      const { client } = await connected(
        t,
        modern(() => [status, "too large"]),
      );
      const error = await client.callTool("x", { region: "a".repeat(100) }).catch((reason: unknown) => reason);
      assert.ok(error instanceof HttpError && error.status === status);
    });

  test("XMH-22: a mismatch that stays is told after one more try", async (t) => {
    const { client, server } = await connected(
      t,
      modern((asked) =>
        asked.body["method"] === "tools/list"
          ? [200, result(asked, { tools: [REGION()], ttlMs: 0, cacheScope: "private" })]
          : [400, { jsonrpc: "2.0", id: asked.body["id"], error: { code: -32020, message: "Header mismatch" } }],
      ),
    );
    await assert.rejects(client.callTool("x", { region: "a" }), { code: -32020 });
    assert.equal(server.of("POST", "tools/call").length, 2);
    assert.equal(server.of("POST", "tools/list").length, 1);
  });
});

/** A server of 2024-11-05, that refuses POSTs but to its endpoint. */
function old(refusal: ReturnType<Script>, endpoint = "/messages?sessionId=1"): Script {
  let out: Parameters<Script>[1] | undefined;
  return (asked, response) => {
    if (asked.method === "GET") return void (out = stream(response, `event: endpoint\ndata: ${endpoint}\n\n`));
    if (asked.method !== "POST" || !asked.url.startsWith("/messages")) return refusal;
    if (asked.body["method"] === "initialize") out!.write(event(initialized(asked, "2024-11-05")));
    if (asked.body["method"] === "tools/call") out!.write(event(toolText(asked, "ok")));
    return [202, "Accepted"];
  };
}

const discover: Script = (asked) =>
  asked.body["method"] === "server/discover"
    ? [
        200,
        result(asked, {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {}, resources: {}, prompts: {} },
          ttlMs: 0,
          cacheScope: "private",
        }),
      ]
    : undefined;

const modern =
  (script: Script): Script =>
  (...all) =>
    discover(...all) ?? script(...all);

const REGION = (header = "Region"): object => ({
  name: "x",
  inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": header } } },
});

/** As of a library that has a Response of its own. */
async function foreignFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { ok, status, type, headers, body } = response;
  return { ok, status, type, headers, body, text: () => response.text() } as Response;
}
