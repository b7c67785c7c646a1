// Sockets, pipes and streams of one's own.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import { PassThrough, Readable, Writable } from "node:stream";
import { describe, test } from "node:test";
import {
  ClosedError,
  type Info,
  type Peer,
  type Profile,
  type Transport,
  base,
  createPeer,
  implement,
} from "@x/jsonrpc";
import { type Framing, contentLength, newline } from "@x/jsonrpc/framing";
import { type StreamOptions, streamTransport } from "@x/transport-stdio";
import { line, until } from "./programs.ts";

type Echo = { echo(params: unknown): unknown; slow(params: { ms: number }): number; info(): unknown };

const service = implement<Echo>({
  echo: (params) => params,
  slow: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, ms)),
  info: (_, { info }) => info,
});

/** A server of the service; `peers` are its ends of the connections. */
async function listen(options?: StreamOptions): Promise<{ server: Server; port: number; peers: Peer[] }> {
  const peers: Peer[] = [];
  const server = createServer((socket) => peers.push(service.connect(streamTransport(socket, socket, options))));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, peers };
}

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

/** Two streams of one's own, joined so that what one side writes the other reads. */
function joined(options?: StreamOptions): [Transport, Transport] {
  const [there, back] = [new PassThrough(), new PassThrough()];
  return [streamTransport(there, back, options), streamTransport(back, there, options)];
}

/** How a stream writes that breaks at its first chunk, a moment later. */
const tearing = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void): void =>
  void setImmediate(done, new Error("torn"));

/** What is written can be read in a later turn, and no more is taken than is read. */
function pipe(): [Readable, Writable] {
  let goOn: (() => void) | undefined;
  const readable = new Readable({ read: () => goOn?.() });
  const writable = new Writable({
    write(chunk, _encoding, done) {
      goOn = undefined;
      setImmediate(() => (readable.push(chunk) ? done() : (goOn = done)));
    },
    final: (done) => done(void readable.push(null)),
  });
  return [readable, writable];
}

const opened = (transport: Transport): { received: unknown[]; ended: Promise<void> } => {
  const received: unknown[] = [];
  return { received, ended: transport.open((message) => received.push(message)) };
};

describe("a socket", () => {
  test("carries calls both ways, and both ends close", async () => {
    const { server, port, peers } = await listen();
    const socket = connect(port, "127.0.0.1");
    // Not connected yet: what is sent waits.
    const peer = createPeer<Echo>(streamTransport(socket, socket));
    assert.deepEqual(await peer.request("echo", { text: "é\u2028🐎" }), { text: "é\u2028🐎" });
    await peer.close();
    await peers[0]?.closed;
    await once(server.close(), "close");
  });

  test("a client that ends its half still gets its answers", async () => {
    const { server, port } = await listen();
    const socket = await connected(port);
    socket.end(line({ id: 1, method: "slow", params: { ms: 100 } }));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    assert.equal(String(Buffer.concat(chunks)), line({ id: 1, result: 100 }));
    await once(server.close(), "close");
  });

  test("a server that closes delivers what it has sent, whatever is still on its way to it", async () => {
    const { server, port, peers } = await listen();
    const socket = await connected(port);
    await until(() => peers.length === 1, "the server has a peer");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => {});
    const flood = setInterval(() => socket.writable && socket.write("x".repeat(100_000)), 1);
    void peers[0]?.notify("last", ["x".repeat(3_000_000)]);
    await peers[0]?.close();
    await once(socket, "close");
    clearInterval(flood);
    const text = String(Buffer.concat(chunks));
    assert.ok(text.endsWith('xxx"]}\n'), `the last words were cut off after ${text.length} bytes`);
    await once(server.close(), "close");
  });

  test("a client that never ends its half is cut off after a while", async () => {
    const { server, port, peers } = await listen();
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.resume();
    await once(socket, "connect");
    await until(() => peers.length === 1, "the server has a peer");
    await peers[0]?.close();
    await once(server.close(), "close");
    socket.destroy();
  });

  test("a connection that breaks rejects the calls that wait, with the reason", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = await connected((server.address() as AddressInfo).port);
    const peer = createPeer<Echo>(streamTransport(socket, socket));
    await assert.rejects(peer.request("echo"), (error) => {
      assert.ok(error instanceof ClosedError);
      assert.equal((error.cause as NodeJS.ErrnoException).code, "ECONNRESET");
      return true;
    });
    await once(server.close(), "close");
  });

  test("one that breaks while the other side doesn't read rejects what waits for that with the reason too", async () => {
    const server = createServer((socket) => setTimeout(() => socket.pause().resetAndDestroy(), 50));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = await connected((server.address() as AddressInfo).port);
    const peer = createPeer<Echo>(streamTransport(socket, socket));
    const call = peer.request("echo", ["x".repeat(20_000_000)]);
    await new Promise((resolve) => setImmediate(resolve));
    const note = peer.notify("echo", []);
    for (const [promise, message] of [
      [call, /^"echo" was not answered: /],
      [note, /^(read|write) E/],
    ] as const)
      await assert.rejects(promise, (error) => {
        assert.ok(error instanceof ClosedError && error.sent);
        assert.match(error.message, message);
        assert.match((error.cause as NodeJS.ErrnoException).code ?? "", /^(ECONNRESET|EPIPE)$/);
        return true;
      });
    await once(server.close(), "close");
  });

  test("whoever asks for much and goes away is reported once, not for every answer", async () => {
    const reports: unknown[] = [];
    const peers: Peer[] = [];
    const server = createServer((socket) =>
      peers.push(
        service.connect(streamTransport(socket, socket), { concurrency: 10, onError: (error) => reports.push(error) }),
      ),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = await connected((server.address() as AddressInfo).port);
    for (let id = 1; id <= 200; id++) socket.write(line({ id, method: "slow", params: { ms: 30 } }));
    await until(() => peers.length === 1, "the server has a peer");
    await wait(20);
    socket.destroy();
    await peers[0]?.closed;
    await wait(20);
    assert.ok(reports.length <= 3, `${reports.length} reports`);
    await once(server.close(), "close");
  });

  test("nobody listens: the calls reject with the reason", async () => {
    const { server, port } = await listen();
    await once(server.close(), "close");
    const socket = connect(port, "127.0.0.1");
    const peer = createPeer<Echo>(streamTransport(socket, socket));
    await assert.rejects(peer.request("echo"), /ECONNREFUSED/);
    assert.match(String(await peer.closed), /ECONNREFUSED/);
  });

  test("info reaches the handlers", async () => {
    const info: Info = { remoteAddress: "10.0.0.1" };
    const { server, port } = await listen({ info });
    const socket = await connected(port);
    const peer = createPeer<Echo>(streamTransport(socket, socket));
    assert.deepEqual(await peer.request("info"), info);
    await peer.close();
    await once(server.close(), "close");
  });
});

describe("any two streams", () => {
  test("B03: progress and the result in one chunk are heard in this order, and progress after it by nobody", async () => {
    const input = new PassThrough();
    const reports: unknown[] = [];
    const profile: Profile = {
      ...base,
      progress: {
        method: "progress",
        attach: (params, token) => ({ ...(params as object), token }),
        token: (params) => (params as { token?: number } | undefined)?.token,
      },
    };
    const peer = createPeer(streamTransport(input, new PassThrough()), {
      profile,
      onError: (error) => reports.push(error),
    });
    const heard: unknown[] = [];
    const call = peer.request("count", {}, { onProgress: () => heard.push("progress") });
    const progress = line({ method: "progress", params: { token: 1 } });
    input.write(progress + line({ id: 1, result: "result" }) + progress);
    heard.push(await call);
    await wait(10);
    assert.deepEqual(heard, ["progress", "result"]);
    assert.deepEqual(reports, []);
    await peer.close();
  });

  test("A24: a stream that gives strings", async () => {
    const readable = Readable.from([
      line({ method: "a" }).slice(0, 5),
      line({ method: "a" }).slice(5),
      line({ method: "ž" }),
    ]);
    const { received, ended } = opened(streamTransport(readable, new PassThrough()));
    await ended;
    assert.deepEqual(received, [
      { jsonrpc: "2.0", method: "a" },
      { jsonrpc: "2.0", method: "ž" },
    ]);
  });

  test("a stream that was paused by hand is read", async () => {
    const readable = new PassThrough().pause();
    const { received, ended } = opened(streamTransport(readable, new PassThrough()));
    readable.end(line({ method: "a" }));
    await ended;
    assert.deepEqual(received, [{ jsonrpc: "2.0", method: "a" }]);
  });

  test("the end of the input fulfils open, also without a last newline; sending still works", async () => {
    const [readable, writable] = [new PassThrough(), new PassThrough()];
    const transport = streamTransport(readable, writable);
    const { received, ended } = opened(transport);
    readable.end(line({ method: "last" }).trim());
    await ended;
    assert.deepEqual(received, [{ jsonrpc: "2.0", method: "last" }]);
    await transport.send({ jsonrpc: "2.0", id: 1, result: 1 });
    await transport.close();
    assert.equal(String(writable.read()), line({ id: 1, result: 1 }));
  });

  test("an error of the input rejects open with it", async () => {
    const readable = new PassThrough();
    const { ended } = opened(streamTransport(readable, new PassThrough()));
    readable.destroy(new Error("torn"));
    await assert.rejects(ended, /^Error: torn$/);
  });

  test("an input that is destroyed, before or after, rejects open", async () => {
    const before = new PassThrough().destroy();
    await once(before, "close");
    await assert.rejects(opened(streamTransport(before, new PassThrough())).ended, /closed before its end/);
    const later = new PassThrough();
    const { ended } = opened(streamTransport(later, new PassThrough()));
    later.destroy();
    await assert.rejects(ended, /closed before its end/);
  });

  test("an input that has ended beforehand fulfils open", async () => {
    const before = new PassThrough().resume();
    before.end();
    await once(before, "close");
    await opened(streamTransport(before, new PassThrough())).ended;
  });

  test("an error of the output rejects open and what is sent; what was on its way in still arrives", async () => {
    const readable = new PassThrough();
    const writable = new Writable({ write: (_chunk, _encoding, done) => done(new Error("torn")) });
    const transport = streamTransport(readable, writable);
    const { received, ended } = opened(transport);
    void transport.send({ jsonrpc: "2.0", method: "a" });
    await once(writable, "error");
    readable.write(line({ method: "late" }));
    await assert.rejects(ended, /^Error: torn$/);
    assert.deepEqual(received, [{ jsonrpc: "2.0", method: "late" }]);
    await assert.rejects(
      async () => transport.send({ jsonrpc: "2.0", method: "b" }),
      (error) =>
        error instanceof ClosedError && !error.sent && error.message === "torn" && error.cause instanceof Error,
    );
    await transport.close();
  });

  test("an output that is destroyed beforehand is no crash", async () => {
    const { ended } = opened(streamTransport(new PassThrough(), new PassThrough().destroy()));
    await assert.rejects(ended, /can't be written to/);
  });

  test("after close, sending is refused", async () => {
    const [a] = joined();
    await a.close();
    await assert.rejects(async () => a.send({ jsonrpc: "2.0", method: "x" }), /connection is closed/);
    await a.close();
  });

  test("open can't be called twice", async () => {
    const [a] = joined();
    const first = a.open(() => {});
    await assert.rejects(
      a.open(() => {}),
      /make a new one/,
    );
    await a.close();
    await first;
  });

  test("what can't be serialised throws at once", () => {
    const [a] = joined();
    assert.throws(() => a.send({ jsonrpc: "2.0", id: 1, result: 1n }), TypeError);
  });

  test("messages of one turn are one write, also when handlers await a few times", async () => {
    const chunks: string[] = [];
    const readable = new PassThrough();
    const writable = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    const steps = implement<{ go(steps: readonly [number]): number }>({
      async go([count]) {
        for (let i = 0; i < count; i++) await Promise.resolve();
        return count;
      },
    });
    const peer = steps.connect(streamTransport(readable, writable));
    readable.end([5, 0, 3, 1].map((count) => line({ id: count, method: "go", params: [count] })).join(""));
    await peer.closed;
    assert.equal(chunks.length, 1);
    assert.equal(chunks[0]?.split("\n").length, 5);
  });

  test("a framing of bytes goes out in order and in one write", async () => {
    const lengths: Framing = {
      encode(text) {
        const body = Buffer.from(text);
        const head = Buffer.alloc(4);
        head.writeUInt32BE(body.length);
        return Buffer.concat([head, body]);
      },
      decoder(emit) {
        let rest = Buffer.alloc(0);
        return {
          push(chunk) {
            rest = Buffer.concat([rest, chunk]);
            while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
              const end = 4 + rest.readUInt32BE();
              emit(rest.toString("utf8", 4, end));
              rest = rest.subarray(end);
            }
          },
          end() {},
        };
      },
    };
    const [a, b] = joined({ framing: lengths });
    const { received, ended } = opened(b);
    for (const method of ["ä", "b", "c"]) void a.send({ jsonrpc: "2.0", method });
    await a.close();
    await ended;
    assert.deepEqual(
      received.map((message) => (message as { method: string }).method),
      ["ä", "b", "c"],
    );
  });

  test("a framing that gives text and bytes: all of one turn goes out in order and in one write", async () => {
    const chunks: Buffer[] = [];
    const writable = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    let count = 0;
    const encode = (text: string): string | Uint8Array => (count++ % 3 === 1 ? Buffer.from(`${text}\n`) : `${text}\n`);
    const transport = streamTransport(new PassThrough(), writable, { framing: { ...newline, encode } });
    for (const method of ["ä", "b", "c", "d", "e"]) void transport.send({ jsonrpc: "2.0", method });
    await transport.close();
    assert.deepEqual(chunks.map(String), [["ä", "b", "c", "d", "e"].map((method) => line({ method })).join("")]);
  });

  test("a decoder learns of the end of the input once, whatever happens after it", async () => {
    const heard: string[] = [];
    const framing: Framing = {
      ...newline,
      decoder: () => ({ push: (chunk) => heard.push(String(chunk)), end: () => heard.push("end") }),
    };
    const [readable, writable] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
    const transport = streamTransport(readable, writable, { framing });
    const ended = transport.open(() => {});
    readable.end("a");
    await ended;
    const sent = transport.send({ jsonrpc: "2.0", id: 1, result: 1 });
    await wait(1);
    writable.resume();
    await sent;
    await transport.close();
    assert.deepEqual(heard, ["a", "end"]);
  });

  test("what is sent between the break of the output and the end of the connection rejects with the reason", async () => {
    const writable = new Writable({ write: tearing });
    const transport = streamTransport(new PassThrough(), writable);
    const { ended } = opened(transport);
    void transport.send({ jsonrpc: "2.0", method: "a" });
    await once(writable, "error");
    const sent = transport.send({ jsonrpc: "2.0", method: "b" });
    await assert.rejects(ended);
    await assert.rejects(
      async () => sent,
      (error) => error instanceof ClosedError && error.message === "torn",
    );
    await transport.close();
  });

  test("what waits to be sent hears why the output broke, also when the stream closes meanwhile", async () => {
    const writable = new Writable({ highWaterMark: 1, emitClose: false, write: tearing });
    const transport = streamTransport(new PassThrough(), writable);
    const { ended } = opened(transport);
    void transport.send({ jsonrpc: "2.0", method: "a" });
    await new Promise((resolve) => process.nextTick(resolve));
    const sent = transport.send({ jsonrpc: "2.0", method: "b" });
    await once(writable, "error");
    const closed = transport.close();
    writable.emit("close");
    await assert.rejects(
      async () => sent,
      (error) => error instanceof ClosedError && error.message === "torn",
    );
    await closed;
    await assert.rejects(ended, /^Error: torn$/);
  });

  test("one that is closed as soon as its output has broken says why it ended", async () => {
    const writable = new Writable({ write: (_chunk, _encoding, done) => done(new Error("torn")) });
    const transport = streamTransport(new PassThrough(), writable);
    const { ended } = opened(transport);
    void transport.send({ jsonrpc: "2.0", method: "a" });
    await once(writable, "error");
    await transport.close();
    await assert.rejects(ended, /^Error: torn$/);
  });

  test("content-length framing", async () => {
    const [a, b] = joined({ framing: contentLength });
    const peer = createPeer<Echo>(a);
    service.connect(b);
    assert.deepEqual(await peer.request("echo", ["é"]), ["é"]);
    await peer.close();
  });
});

describe("backpressure", () => {
  test("send waits while the other side doesn't read, and memory stays where it is", async () => {
    let reader: Socket | undefined;
    const silent = createServer((connection) => (reader = connection.pause()));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const sender = await connected((silent.address() as AddressInfo).port);
    const transport = streamTransport(sender, sender);
    void transport.open(() => {});
    const params = ["x".repeat(10_000)];
    let sent = 0;
    let most = 0;
    const sending = (async () => {
      while (sent < 10_000) {
        await transport.send({ jsonrpc: "2.0", method: "m", params });
        sent++;
        most = Math.max(most, sender.writableLength);
      }
    })();
    let before = -1;
    await until(() => {
      const still = before === sent;
      before = sent;
      return still && sent > 0;
    }, "the sender waits");
    assert.ok(sent < 10_000);
    assert.ok(most < 300_000, `${most} bytes waited`);
    reader?.resume();
    await until(() => sent === 10_000, "everything is sent", 20_000);
    await sending;
    assert.ok(most < 300_000, `${most} bytes waited`);
    await transport.close();
    await once(silent.close(), "close");
  });

  test("a sender that never leaves its turn doesn't collect text without bound", async () => {
    let written = 0;
    const writable = new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        written += chunk.length;
        done();
      },
    });
    const transport = streamTransport(new PassThrough(), writable);
    for (let i = 0; i < 100; i++) void transport.send({ jsonrpc: "2.0", method: "m", params: ["x".repeat(10_000)] });
    assert.ok(written > 900_000, "it waits for the end of the turn");
    await transport.close();
  });

  test("answers that nobody reads stop the reading of requests, and go on when they are read", async () => {
    const { server, port, peers } = await listen({ maxQueue: 1_000_000 });
    const client = await connected(port);
    client.pause();
    const request = line({ id: 1, method: "echo", params: ["x".repeat(100_000)] });
    let stopped = false;
    for (let i = 0; i < 1000 && !stopped; i++)
      if (!client.write(request)) stopped = await Promise.race([once(client, "drain").then(() => false), wait(300)]);
    assert.ok(stopped, "everything was read although no answer was");
    assert.equal(peers.length, 1);
    const requests = client.bytesWritten;
    client.end();
    let answers = 0;
    client.on("data", (chunk: Buffer) => (answers += chunk.length)).resume();
    await once(client, "close");
    assert.ok(requests > 1_000_000 && answers > 1_000_000);
    await once(server.close(), "close");
  });

  test("a flood leaves room for everything else in the process, and nothing of it is lost or overtaken", async () => {
    const input = new PassThrough();
    const seen: number[] = [];
    const spin = implement({
      spin: ([n]: [number]) => {
        seen.push(n);
        for (const end = performance.now() + 0.1; performance.now() < end; );
      },
    });
    const peer = spin.connect(streamTransport(input, new PassThrough()));
    const count = 3000;
    const flood = Array.from({ length: count }, (_, n) => line({ method: "spin", params: [n] })).join("");
    const half = Buffer.from(flood.slice(0, flood.length / 2));
    input.write(half);
    input.end(flood.slice(half.length));
    let turns = 0;
    for (; seen.length < count; turns++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(turns > 5, `others had ${turns} turns`);
    assert.deepEqual(
      seen,
      seen.map((_, n) => n),
    );
    await peer.closed;
  });

  test("small answers that nobody reads count with what they cost, not with their text alone", async () => {
    const input = new PassThrough();
    const stuck = new Writable({ highWaterMark: 1, write: () => {} });
    let answers = 0;
    const peer = service.connect(streamTransport(input, stuck, { maxQueue: 1_000_000, flushTimeout: 0 }), {
      onError: () => answers++,
    });
    for (let i = 0; i < 1000 && !input.isPaused(); i++) {
      input.write("no JSON\n".repeat(10));
      await wait(0);
    }
    assert.ok(input.isPaused(), "reading goes on");
    assert.ok(answers < 1000, `${answers} answers wait`);
    await peer.close();
  });

  test("answers that have been read count no more", async () => {
    const input = new PassThrough();
    let written: (() => void) | undefined;
    const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => (written = done) });
    const peer = service.connect(streamTransport(input, slow, { maxQueue: 3000 }));
    for (let i = 0; i < 10; i++) {
      for (const id of [1, 2]) {
        input.write(line({ id, method: "echo", params: [] }));
        await wait(1);
      }
      assert.equal(input.isPaused(), false, `in round ${i}`);
      for (const drained = once(slow, "drain").then(() => true); !(await Promise.race([drained, wait(1, false)])); )
        written?.();
    }
    slow.destroy();
    await peer.close();
  });

  test("calls of one's own never stop the reading: two peers that flood each other both get through", async () => {
    const { server, port } = await listen({ maxQueue: 100_000 });
    const socket = await connected(port);
    const peer = createPeer<Echo>(streamTransport(socket, socket, { maxQueue: 100_000 }));
    const text = ["x".repeat(1_000_000)];
    const answers = await Promise.all(Array.from({ length: 40 }, () => peer.request("echo", text)));
    assert.equal(answers.length, 40);
    await peer.close();
    await once(server.close(), "close");
  });

  test("nor do answers, while this side waits for some itself: they come the same way", async () => {
    const big = implement({ get: () => wait(5).then(() => "x".repeat(10_000)) });
    const [there, back] = [pipe(), pipe()];
    const options = { maxQueue: 100_000 };
    const peers = [streamTransport(there[0], back[1], options), streamTransport(back[0], there[1], options)].map(
      (transport) => big.connect(transport),
    );
    const calls = peers.flatMap((peer) => Array.from({ length: 50 }, () => peer.request("get", [], { timeout: 5000 })));
    assert.equal((await Promise.all(calls)).length, 100);
    await peers[0]?.close();
  });

  test("close waits for a slow reader as long as it is told to", async () => {
    const taken: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done) => {
        taken.push(chunk);
        setTimeout(done, 50);
      },
    });
    const transport = streamTransport(new PassThrough(), slow, { flushTimeout: Infinity });
    const ended = transport.open(() => {});
    for (let n = 0; n < 3; n++) {
      void transport.send({ jsonrpc: "2.0", method: "m", params: [n] });
      await wait(1);
    }
    await transport.close();
    await ended;
    assert.match(Buffer.concat(taken).toString(), /\[0\].*\[1\].*\[2\]/s);
  });

  test("close gives up on a reader that doesn't read", async () => {
    let reader: Socket | undefined;
    const silent = createServer((connection) => (reader = connection.pause()));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const socket = await connected((silent.address() as AddressInfo).port);
    const transport = streamTransport(socket, socket, { flushTimeout: 100 });
    const ended = transport.open(() => {});
    void transport.send({ jsonrpc: "2.0", method: "m", params: ["x".repeat(20_000_000)] });
    await assert.rejects(async () => transport.close(), /did not take what was sent to it within 100 ms/);
    await ended;
    reader?.destroy();
    await once(silent.close(), "close");
  });
});

const wait = <T = true>(ms: number, value: T = true as T): Promise<T> =>
  new Promise((resolve) => setTimeout(resolve, ms, value));
