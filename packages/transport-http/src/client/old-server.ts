import { parse } from "@x/jsonrpc";
import { readEvents } from "../sse/read.ts";
import { drop, isEventStream, refusalText } from "./body.ts";
import { HttpError, StreamError } from "./errors.ts";
import type { Link } from "./link.ts";

/** ms that a server has to say where to post. */
const PATIENCE = 10_000;

/** A server of 2024-11-05: one event stream for all that comes, and a URL to post to that its first event gives. */
export class OldServer {
  /** Settles when the stream has ended, with why. */
  readonly ended: Promise<void>;
  readonly #link: Link;
  readonly #endpoint: URL;

  private constructor(link: Link, endpoint: URL, ended: Promise<void>) {
    this.#link = link;
    this.#endpoint = endpoint;
    this.ended = ended;
  }

  /** Opens the stream and waits for its first event. Undefined where there is no such server. */
  static async meet(link: Link): Promise<OldServer | undefined> {
    const { requests, signal, maxBytes } = link;
    const response = await requests.send("GET", { headers: { Accept: "text/event-stream" }, signal });
    if (!response.ok || !isEventStream(response)) {
      drop(response);
      return undefined;
    }
    let found!: (endpoint: URL | undefined) => void;
    const endpoint = new Promise<URL | undefined>((resolve) => (found = resolve));
    const timer = setTimeout(() => found(undefined), PATIENCE);
    const ended = readEvents(response.body, maxBytes, {
      onRetry: () => {},
      onEvent: ({ event = "message", data }) => {
        if (event === "endpoint") found(endpointIn(data, requests.url));
        else if (event === "message" && data !== "") link.receive(parse(data));
      },
    });
    const over = (): void => found(undefined);
    ended.then(over, over);
    const url = await endpoint;
    clearTimeout(timer);
    if (url) return new OldServer(link, url, ended);
    drop(response);
    return undefined;
  }

  /** Posts a message. The answer comes on the stream. */
  async post(text: string): Promise<void> {
    const { requests, signal } = this.#link;
    const headers = { "Content-Type": "application/json" };
    const response = await requests.send("POST", { headers, body: text, signal }, this.#endpoint);
    if (response.ok) return drop(response);
    throw new HttpError(`${requests.name("POST")} was refused`, response, await refusalText(response));
  }
}

/** Only within the origin: a server must not send our messages elsewhere. */
function endpointIn(data: string, base: URL): URL | undefined {
  if (!URL.canParse(data, base.href)) return undefined;
  const endpoint = new URL(data, base);
  return endpoint.origin === base.origin ? endpoint : undefined;
}

export const streamEnded = (link: Link, cause?: unknown): StreamError =>
  new StreamError(`${link.requests.name("GET")}: the server has ended the connection`, cause);
