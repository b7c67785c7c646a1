import { parse } from "@x/jsonrpc";
import { readEvents } from "../sse/read.ts";
import { drop, isEventStream, refusalText } from "./body.ts";
import { HttpError, StreamError } from "./errors.ts";
import type { Link, Refusal } from "./link.ts";

/** ms that a server has to say where to post. */
const PATIENCE = 10_000;

/** What servers of 2024-11-05 say to a POST where they expect a GET. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * A server of 2024-11-05: one event stream for all that comes, and a URL to post to that its first event gives. Loaded
 * when a server has refused the request that opens a session.
 */
export class OldServer {
  readonly #link: Link;
  readonly #endpoint: URL;

  private constructor(link: Link, endpoint: URL) {
    this.#link = link;
    this.#endpoint = endpoint;
  }

  /**
   * Opens the stream and waits for its first event. Undefined where there is no such server. `ended` is called when the
   * stream of the server has ended, with why.
   */
  static async meet(
    link: Link,
    { status, failure }: Refusal,
    ended: (reason: unknown) => void,
  ): Promise<OldServer | undefined> {
    const { protocol, requests, signal, maxBytes } = link;
    if (!REFUSALS.has(status) || (failure && protocol?.isCurrent(failure))) return undefined;
    const response = await requests.send("GET", { headers: { Accept: "text/event-stream" }, signal });
    if (!response.ok || !isEventStream(response)) {
      drop(response);
      return undefined;
    }
    let found!: (endpoint: URL | undefined) => void;
    const endpoint = new Promise<URL | undefined>((resolve) => (found = resolve));
    const timer = setTimeout(() => found(undefined), PATIENCE);
    const reading = readEvents(response.body, maxBytes, {
      onRetry: () => {},
      onEvent: ({ event = "message", data }) => {
        if (event === "endpoint") found(endpointIn(data, requests.url));
        else if (event === "message" && data !== "") link.receive(parse(data));
      },
    });
    const nowhere = (): void => found(undefined);
    reading.then(nowhere, nowhere);
    const url = await endpoint;
    clearTimeout(timer);
    if (!url) {
      drop(response);
      return undefined;
    }
    const over = (cause?: unknown): void =>
      ended(new StreamError(`${requests.name("GET")}: the server has ended the connection`, cause));
    reading.then(() => over(), over);
    return new OldServer(link, url);
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
