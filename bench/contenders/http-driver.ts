import { type Socket, connect } from "node:net";
import { once } from "node:events";

/** One answer, as text of its whole body. */
export interface Reply {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/**
 * Sends POST requests over sockets that stay open, one at a time on each: cheaper than any HTTP client, so that servers
 * are compared. It reads answers with a length and answers in chunks.
 */
export class HttpDriver {
  readonly #sockets: Socket[];

  private constructor(sockets: Socket[]) {
    this.#sockets = sockets;
  }

  static async open(port: number, connections: number): Promise<HttpDriver> {
    const sockets = Array.from({ length: connections }, () => connect(port, "127.0.0.1").setNoDelay());
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    return new HttpDriver(sockets);
  }

  /** One request on the first socket. */
  exchange(request: Buffer): Promise<Reply> {
    const [socket] = this.#sockets as [Socket];
    return new Promise((resolve, reject) => {
      const reader = new Replies((reply) => {
        socket.off("data", read).off("close", closed);
        resolve(reply);
      });
      const read = (chunk: Buffer): void => reader.push(chunk);
      const closed = (): void => reject(new Error("The server closed the connection"));
      socket.on("data", read).on("close", closed).write(request);
    });
  }

  /** The same request n times, on all sockets at once. */
  run(n: number, request: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = n;
      let open = n;
      const closed = (): void => reject(new Error("The server closed a connection"));
      const listeners = this.#sockets.map((socket) => {
        const reader = new Replies(({ status, body }) => {
          if (status !== 200 || !body.includes('"result"')) return reject(new Error(`Got ${status}: ${body}`));
          if (--open === 0) done();
          else if (left-- > 0) socket.write(request);
        });
        const read = (chunk: Buffer): void => reader.push(chunk);
        socket.on("data", read).on("close", closed);
        if (left-- > 0) socket.write(request);
        return () => socket.off("data", read).off("close", closed);
      });
      const done = (): void => {
        for (const forget of listeners) forget();
        resolve();
      };
    });
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const END = "\r\n\r\n";
const LAST_CHUNK = "0\r\n\r\n";

/** Cuts one answer after another out of what arrives. The bodies here are ASCII. */
class Replies {
  readonly #reply: (reply: Reply) => void;
  #text = "";

  constructor(reply: (reply: Reply) => void) {
    this.#reply = reply;
  }

  push(chunk: Buffer): void {
    this.#text += chunk.toString("latin1");
    const head = this.#text.indexOf(END);
    if (head === -1) return;
    const headers = this.#text.slice(0, head).toLowerCase();
    const start = head + END.length;
    const end = headers.includes("transfer-encoding: chunked") ? this.#chunksEnd(start) : start + lengthIn(headers);
    if (end === undefined || this.#text.length < end) return;
    const body = this.#text.slice(start, end);
    this.#text = this.#text.slice(end);
    this.#reply({ status: Number(headers.slice(9, 12)), headers, body });
  }

  #chunksEnd(start: number): number | undefined {
    const last = this.#text.indexOf(LAST_CHUNK, start);
    return last === -1 ? undefined : last + LAST_CHUNK.length;
  }
}

const lengthIn = (headers: string): number => {
  const at = headers.indexOf("content-length: ");
  return at === -1 ? 0 : Number.parseInt(headers.slice(at + "content-length: ".length), 10);
};

/** A POST request of a client that takes both kinds of answer. */
export function post(message: object, headers: Readonly<Record<string, string>>): Buffer {
  const body = JSON.stringify(message);
  const all = {
    host: "127.0.0.1",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
