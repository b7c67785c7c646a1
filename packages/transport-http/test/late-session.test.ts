import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ClosedError, type Message, type Request as RpcRequest } from "@x/jsonrpc";
import { type ClientProtocol, type Fetch, type HttpTransport, http } from "../src/index.ts";

/** A protocol whose sessions are opened by "hello". */
const greeting: ClientProtocol = {
  sessionHeader: "x-session",
  passage: (message) => ("method" in message && message.method === "hello" ? "opens" : "within"),
  headers: () => ({}),
  answered: (_request, answer) => answer,
  cure: () => undefined,
  isCurrent: () => false,
  reopened: () => {},
};

const hello = (id: number): RpcRequest => ({ jsonrpc: "2.0", id, method: "hello" });

const send = async (transport: HttpTransport, message: Message): Promise<void> => await transport.send(message);

interface Client {
  readonly transport: HttpTransport;
  readonly ended: Promise<void>;
  readonly received: Message[];
  /** The methods of what was fetched, and under which session. */
  readonly fetched: (readonly [string | undefined, string | undefined])[];
}

function client(answer: (init: RequestInit) => Response | Promise<Response>): Client {
  const fetched: Client["fetched"] = [];
  const received: Message[] = [];
  const fetch: Fetch = async (_url, init) => {
    fetched.push([init.method, (init.headers as Record<string, string>)["x-session"]]);
    return await answer(init);
  };
  const transport = http("http://localhost/rpc", { fetch });
  transport.speak(greeting);
  const ended = transport.open((message) => void received.push(message as Message));
  return { transport, ended, received, fetched };
}

const welcome = (init: RequestInit, session: string): Response => {
  const { id } = JSON.parse(String(init.body)) as RpcRequest;
  return Response.json({ jsonrpc: "2.0", id, result: null }, { headers: { "X-Session": session } });
};

describe("an HTTP client, while it loads what sessions take", () => {
  test("is closed, and has sent nothing", async () => {
    const { transport, ended, fetched } = client(() => assert.fail("nobody asked for this"));
    const sent = send(transport, hello(1));
    await transport.close();
    await assert.rejects(sent);
    await ended;
    assert.deepEqual(fetched, []);
    assert.throws(() => transport.send(hello(2)), ClosedError);
  });

  test("forgets a request that is cancelled", async () => {
    const { transport, fetched } = client(() => assert.fail("nobody asked for this"));
    const sent = send(transport, hello(1));
    // In a session the server has to be told.
    assert.equal(transport.cancel?.(1), false);
    await assert.rejects(sent, /given up/);
    assert.deepEqual(fetched, []);
    await transport.close();
  });

  test("opens one session for two requests that come at once, and sends the next message in it", async () => {
    const { transport, fetched, received } = client((init) =>
      String(init.body).includes('"id"') ? welcome(init, "s1") : new Response(null, { status: 202 }),
    );
    await Promise.all([transport.send(hello(1)), transport.send(hello(2))]);
    assert.equal(received.length, 2);
    await transport.send({ jsonrpc: "2.0", method: "note" });
    await transport.close();
    assert.deepEqual(fetched, [
      ["POST", undefined],
      ["POST", undefined],
      ["POST", "s1"],
      ["DELETE", "s1"],
    ]);
  });

  test("is closed while it loads what a server of 2024-11-05 takes", async () => {
    const { transport, ended, fetched } = client(() => {
      setImmediate(() => void transport.close());
      return new Response(null, { status: 404 });
    });
    await assert.rejects(send(transport, hello(1)));
    await ended;
    assert.ok(fetched.length <= 2);
  });
});

test("a call that is given up while a lost session is opened anew is not sent again", async () => {
  let again = false;
  const { transport, fetched } = client((init) => {
    if (!String(init.body).includes("hello")) return new Response(null, { status: 404 });
    if (again) transport.cancel?.(2);
    again = true;
    return welcome(init, "s1");
  });
  await send(transport, hello(1));
  await assert.rejects(send(transport, { jsonrpc: "2.0", id: 2, method: "work" }), /given up/);
  await transport.close();
  assert.deepEqual(fetched, [
    ["POST", undefined],
    ["POST", "s1"],
    ["POST", undefined],
    ["DELETE", "s1"],
  ]);
});
