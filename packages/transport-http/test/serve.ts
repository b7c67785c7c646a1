import { type Server, createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { TestContext } from "node:test";
import type { NodeRequest, NodeResponse } from "../src/index.ts";

type Listener = (request: NodeRequest, response: NodeResponse) => void;

/** A server on a free port until the test ends; gives its port. */
export async function listening(t: TestContext, listener: Listener): Promise<number> {
  const server = createServer(listener);
  t.after(() => closed(server));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Sends bytes as they are and gives all that comes back until the other side ends, or `until` is in it. */
export function raw(port: number, bytes: string | Uint8Array, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (data: string) => {
      text += data;
      if (until?.test(text)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
    socket.write(bytes);
  });
}

/** The bytes of a POST with these headers, and with Content-Length unless it is among them. */
export function postBytes(body: string, headers: { readonly [name: string]: string } = {}): string {
  const all = {
    Host: "localhost",
    "Content-Type": "application/json",
    Connection: "close",
    ...("Transfer-Encoding" in headers ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST / HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

export const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

/** Waits until something holds; fails when it doesn't within 5 s. */
export async function eventually(holds: () => boolean, what = "the condition"): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what} did not come true`);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
