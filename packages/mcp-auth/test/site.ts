import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The body's parameters, if it is a form. */
  readonly form: URLSearchParams;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string | readonly string[] };
  /** Text, or a value that is sent as JSON. */
  readonly body?: unknown;
}

export type Answer = (request: Arrived) => Reply | undefined | Promise<Reply | undefined>;

/** A web server on this machine that says what it was asked. */
export interface Site {
  readonly origin: string;
  readonly requests: Arrived[];
  /** The paths that were asked for. */
  readonly paths: () => string[];
}

/** Listens until the test ends. What `answer` has no reply to gets 404. */
export async function site(t: TestContext, answer: Answer): Promise<Site> {
  const requests: Arrived[] = [];
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { origin, requests, paths: () => requests.map(({ path }) => path) };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://localhost");
    let body = "";
    for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
    const { method = "", headers } = incoming;
    const request = { method, path: pathname, query: searchParams, headers, body, form: new URLSearchParams(body) };
    requests.push(request);
    const { status = 200, headers: fields = {}, body: reply } = (await answer(request)) ?? { status: 404 };
    const text = typeof reply === "string" || reply === undefined ? reply : JSON.stringify(reply);
    const type = typeof reply === "object" ? { "Content-Type": "application/json" } : {};
    outgoing.writeHead(status, { ...type, ...(fields as Record<string, string>) });
    outgoing.end(text);
  }
}
