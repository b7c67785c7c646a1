import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthError } from "../error.ts";
import { foreign, returned } from "./page.ts";

export interface DeskOptions {
  /** Default: one that the client is registered with, if it is free, else any. */
  readonly port?: number | undefined;
  /** How the redirect URI calls this machine (default "127.0.0.1"). */
  readonly host?: "127.0.0.1" | "localhost" | "[::1]" | undefined;
  /** Path of the redirect URI (default "/callback"). */
  readonly path?: string | undefined;
}

/** ms that a timer of Node can wait; it would not wait at all for more. */
const LONGEST = 2 ** 31 - 1;

/** A web server on this machine for one person who comes back from logging in. */
export class Desk {
  readonly address: string;
  readonly #server: Server;
  readonly #path: string;
  readonly #clientName: string;
  #expected: { readonly state: string; readonly come: (address: URL) => void } | undefined;

  private constructor(server: Server, host: string, path: string, clientName: string) {
    this.#server = server;
    this.#path = path;
    this.#clientName = clientName;
    this.address = `http://${host}:${(server.address() as AddressInfo).port}${path}`;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  /** Listens on this machine alone. `known` are the redirect URIs for which the client is registered. */
  static async open(
    { port, host = "127.0.0.1", path = "/callback" }: DeskOptions,
    clientName: string,
    known: readonly string[],
  ): Promise<Desk> {
    const server = createServer();
    // Browsers that find nobody at the IPv6 address of "localhost" go on to this one.
    const address = host === "[::1]" ? "::1" : "127.0.0.1";
    const familiar = known.map((uri) => portIn(uri, host, path)).filter((each) => each > 0);
    const ports = port === undefined ? [...familiar, 0] : [port];
    await listen(server, address, ports);
    return new Desk(server, host, path, clientName);
  }

  /** The address to which somebody comes who brings this state. Others are sent away, and change nothing. */
  wait(state: string, timeout: number, signal: AbortSignal): Promise<URL> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const problem = `expected a person to come back within ${timeout} ms, nobody came`;
        reject(new AuthError("authorization", this.address, problem));
      };
      const late = setTimeout(giveUp, Math.min(timeout, LONGEST));
      const leave = (): void => reject(signal.reason);
      if (signal.aborted) leave();
      signal.addEventListener("abort", leave, { once: true });
      this.#server.once("close", () => {
        clearTimeout(late);
        signal.removeEventListener("abort", leave);
      });
      this.#expected = { state, come: resolve };
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeIdleConnections();
    // The page may still be on its way to the browser.
    setTimeout(() => this.#server.closeAllConnections(), 1000).unref();
  }

  #answer({ method, url = "/" }: IncomingMessage, response: ServerResponse): void {
    // Any web page can have the browser ask for what is no address, such as "//".
    const address = URL.canParse(url, this.address) ? new URL(url, this.address) : undefined;
    const expected = this.#expected;
    const ours =
      method === "GET" && address?.pathname === this.#path && address.searchParams.get("state") === expected?.state;
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      Connection: "close",
    };
    response.writeHead(ours ? 200 : 404, headers).end(ours ? returned(this.#clientName) : foreign());
    if (ours && address) expected?.come(address);
  }
}

/** 0 for what is elsewhere, or no address at all: it is the issuer that has said it. */
function portIn(uri: string, host: string, path: string): number {
  if (!URL.canParse(uri)) return 0;
  const { hostname, pathname, port } = new URL(uri);
  return hostname === host && pathname === path ? Number(port) : 0;
}

/** Takes the first of these ports that is free. */
async function listen(server: Server, address: string, [port = 0, ...others]: readonly number[]): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, address, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    if (others.length === 0) throw error;
    await listen(server, address, others);
  }
}
