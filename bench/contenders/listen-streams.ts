import { once } from "node:events";
import { type Socket, connect } from "node:net";
import type { Figure, Sample } from "../harness/row.ts";
import { post } from "./http-driver.ts";
import { HttpProgram } from "./http-program.ts";
import { meta } from "./raw-client.ts";

export const figures: readonly Figure[] = [
  { name: "resident memory", unit: "bytes", better: "less" },
  { name: "heap", unit: "bytes", better: "less" },
  { name: "a change reaches all", unit: "ms", better: "less" },
];

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

const request = post(
  {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { notifications: { toolsListChanged: true }, _meta: meta },
  },
  { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
);

/** Fewer would show how a heap grows, and not what a stream takes. */
const COUNT = 5000;

/** Opened at the same time; the rest wait. */
const AT_ONCE = 50;

/** What one more stream costs a server on which many are open, and how long a change takes to reach them all. */
export async function listenStreams(name: string): Promise<Sample> {
  const server = await HttpProgram.start(name, [], ["--expose-gc"]);
  const streams: Stream[] = [];
  const open = async (n: number): Promise<void> => {
    for (let left = n; left > 0; left -= AT_ONCE)
      streams.push(
        ...(await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => Stream.open(server.port)))),
      );
  };
  try {
    // What the first streams have a server load and compile is no part of it.
    await open(500);
    const before = await server.ask<Memory>("memory");
    await open(COUNT);
    const after = await server.ask<Memory>("memory");
    const start = performance.now();
    const heard = Promise.all(streams.map((stream) => stream.hear("notifications/tools/list_changed")));
    server.change();
    await heard;
    return {
      "resident memory": (after.rss - before.rss) / COUNT,
      heap: (after.heap - before.heap) / COUNT,
      "a change reaches all": performance.now() - start,
    };
  } finally {
    for (const stream of streams) stream.close();
    await server.stop();
  }
}

/** One stream of events that stays open. */
class Stream {
  readonly #socket: Socket;
  #wanted = "notifications/subscriptions/acknowledged";
  #text = "";
  #heard: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1").on("data", (text: string) => this.#read(text));
  }

  static async open(port: number): Promise<Stream> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const stream = new Stream(socket);
    const acknowledged = stream.hear(stream.#wanted);
    socket.write(request);
    await acknowledged;
    return stream;
  }

  /** Resolves when a notification of this method comes. */
  hear(method: string): Promise<void> {
    this.#wanted = method;
    return new Promise((resolve, reject) => {
      this.#heard = resolve;
      this.#socket.once("close", () => reject(new Error(`The stream was closed; it has sent ${this.#text}`)));
    });
  }

  close(): void {
    this.#heard();
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    if (!this.#text.includes(this.#wanted)) return;
    this.#text = "";
    this.#heard();
  }
}
