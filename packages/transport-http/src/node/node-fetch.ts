import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request as plain } from "node:http";
import { Agent as SecureAgent, request as secure } from "node:https";
import { urlToHttpOptions } from "node:url";
import { failed, responseOf } from "./response.ts";

/**
 * ms after which an idle connection is given up: before a server of node:http does it (5,000), since a request that is
 * sent at that very moment is lost.
 */
const IDLE = 4000;

/**
 * `http(url, { fetch: nodeFetch })`: sends requests by node:http and node:https, for a fifth of the processor time that
 * Node 20's own `fetch` takes. It sends text or nothing, follows no redirects, asks for no compression, and uses no
 * proxy. It rejects as fetch does: with the signal's reason, or a TypeError with the `cause`.
 */
export function nodeFetch(url: string, init: RequestInit = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { body, signal } = init;
    signal?.throwIfAborted();
    if (typeof (body ?? "") !== "string") throw new TypeError("nodeFetch sends text, or no body");
    const request = open(url, init);
    let response: IncomingMessage | undefined;
    // Without an error, which a reason need not be, whoever reads the body would hear of no end.
    const abort = (): void => void (response ?? request).destroy((signal!.reason || failed(undefined)) as Error);
    signal?.addEventListener("abort", abort, { once: true });
    request.on("response", (message) => {
      response = message;
      message.once("close", () => signal?.removeEventListener("abort", abort));
      try {
        resolve(responseOf(message, signal));
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    const fail = (error: Error): void => {
      signal?.removeEventListener("abort", abort);
      reject(signal?.aborted ? (signal.reason as Error) : failed(error));
    };
    request.on("error", fail);
    // Its connection is no longer one of HTTP, so that neither an answer nor an error comes.
    request.on("upgrade", (_message, socket) => {
      socket.destroy();
      fail(new Error("The server has switched to another protocol"));
    });
    request.end(body ?? undefined);
  });
}

function open(url: string, { method = "GET", headers, body }: RequestInit): ClientRequest {
  const target = targetOf(url);
  return target.send({
    ...target.options,
    method,
    headers: {
      Accept: "*/*",
      "Accept-Encoding": "identity",
      "User-Agent": "node",
      ...plainHeaders(headers),
      ...(typeof body === "string" && { "Content-Length": Buffer.byteLength(body) }),
    },
  });
}

function plainHeaders(headers: RequestInit["headers"] = {}): Record<string, string> {
  if (headers instanceof Headers || Array.isArray(headers))
    return Object.fromEntries(headers as Iterable<[string, string]>);
  return headers as Record<string, string>;
}

/** How an address is reached. */
interface Target {
  readonly url: string;
  readonly send: (options: RequestOptions) => ClientRequest;
  readonly options: RequestOptions;
}

let agents: { readonly plain: Agent; readonly secure: SecureAgent } | undefined;

/** The last one: a client has one URL, and taking it apart takes longer than sending to it. */
let last: Target | undefined;

function targetOf(url: string): Target {
  if (last?.url === url) return last;
  const options = { keepAlive: true, timeout: IDLE };
  agents ??= { plain: new Agent(options), secure: new SecureAgent(options) };
  const parsed = new URL(url);
  const isSecure = parsed.protocol === "https:";
  if (!isSecure && parsed.protocol !== "http:") throw new TypeError(`nodeFetch knows http: and https:, got ${url}`);
  const agent = isSecure ? agents.secure : agents.plain;
  return (last = { url, send: isSecure ? secure : plain, options: { ...urlToHttpOptions(parsed), agent } });
}
