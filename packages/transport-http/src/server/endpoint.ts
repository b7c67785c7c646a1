import { PARSE_ERROR } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import { allowOrigin, answerPreflight, isPreflight } from "./cors.ts";
import { HostCheck } from "./hosts.ts";
import { JSON_TYPE, NOT_LOADED, type Refusal, notAllowed, refusal, refuse } from "./refusal.ts";
import { isJson } from "./media.ts";
import { BODY_TIMEOUT, type HttpServerOptions, MAX_BODY } from "./options.ts";
import type { Linked } from "./ring.ts";
import type { Resource } from "./resource.ts";
import { type Auth, isDenial, refusalOf } from "./verify.ts";
import { Watch, type Watched } from "./watch.ts";

/** ms that running calls have when the server closes. */
const DEADLINE = 5000;

/** The way of a request up to what is served: host, origin, path, principal, method, body. */
export class Endpoint {
  /** Missing while `#loading`. */
  #resource!: Resource;
  /** Set until what is served is there. */
  #loading: Promise<void> | undefined;
  readonly #options: HttpServerOptions;
  readonly #hosts: HostCheck;
  readonly #maxBody: number;
  readonly #bodies: Watch<Body>;
  #closing = false;

  constructor(resource: Resource | Promise<Resource>, options: HttpServerOptions) {
    if (resource instanceof Promise) this.#load(resource);
    else this.#resource = resource;
    this.#options = options;
    this.#hosts = new HostCheck(options.hosts, options.origins);
    this.#maxBody = options.maxBody ?? MAX_BODY;
    this.#bodies = new Watch(options.bodyTimeout ?? BODY_TIMEOUT);
  }

  accept(carrier: Carrier): void {
    if (this.#loading) return void this.#wait(carrier, this.#loading);
    const { path, cors, verify } = this.#options;
    const refused = this.#hosts.refuse(carrier);
    if (refused) return this.#refuse(carrier, refused);
    if (cors) allowOrigin(carrier, this.#resource.exposed);
    if (path !== undefined && pathOf(carrier.target) !== path)
      return this.#refuse(carrier, refusal(404, `Nothing is served at ${pathOf(carrier.target)}`));
    if (cors && isPreflight(carrier)) return answerPreflight(carrier, this.#resource.methods);
    if (verify) void this.#verify(carrier);
    else this.#route(carrier, undefined);
  }

  /** Takes no more requests, and ends those that are there. */
  async close({ deadline = DEADLINE }: { readonly deadline?: number | undefined } = {}): Promise<void> {
    this.#closing = true;
    for (const body of this.#bodies.members()) body.refuse(CLOSING);
    await this.#loading?.catch(() => {});
    await this.#resource?.close(deadline);
  }

  #load(resource: Promise<Resource>): void {
    this.#loading = resource.then((loaded) => {
      this.#resource = loaded;
      this.#loading = undefined;
    });
    this.#loading.catch(() => {});
  }

  async #wait(carrier: Carrier, loading: Promise<void>): Promise<void> {
    try {
      await loading;
    } catch (error) {
      this.#options.onError?.(error, "transport");
      return refuse(carrier, NOT_LOADED, undefined);
    }
    this.accept(carrier);
  }

  async #verify(carrier: Carrier): Promise<void> {
    try {
      const verdict = await this.#options.verify!(carrier);
      if (!isDenial(verdict)) return this.#route(carrier, verdict);
      this.#refuse(carrier, refusalOf(verdict));
    } catch (error) {
      this.#options.onError?.(error, "transport");
      this.#refuse(carrier, UNVERIFIED);
    }
  }

  #route(carrier: Carrier, auth: Auth | undefined): void {
    if (this.#closing) return this.#refuse(carrier, CLOSING);
    const resource = this.#resource;
    switch (carrier.method) {
      case "POST":
        return this.#post(carrier, auth);
      case "GET":
        if (this.#options.health && !carrier.header("accept")?.includes("text/event-stream"))
          return carrier.answer(200, { "Content-Type": JSON_TYPE }, '{"status":"ok"}');
        if (resource.get) return resource.get(carrier, auth);
        break;
      case "DELETE":
        if (resource.delete) return resource.delete(carrier, auth);
        break;
    }
    this.#refuse(carrier, notAllowed(carrier.method, resource.methods));
  }

  #post(carrier: Carrier, auth: Auth | undefined): void {
    if (!isJson(carrier.header("content-type")))
      return this.#refuse(carrier, refusal(415, "The body must have Content-Type: application/json, in UTF-8"));
    if (carrier.header("content-encoding") !== undefined)
      return this.#refuse(carrier, refusal(415, "The body must not be compressed"));
    const reading = new Body(carrier, (fault) => this.#refuse(carrier, fault));
    this.#bodies.add(reading);
    carrier.read(this.#maxBody, (text, fault) => {
      this.#bodies.delete(reading);
      if (reading.over) return;
      reading.over = true;
      if (text !== undefined) this.#give(carrier, text, auth);
      else if (fault === "too large")
        this.#refuse(carrier, refusal(413, `The body is longer than ${this.#maxBody} bytes`));
      else if (fault === "not UTF-8")
        this.#refuse(carrier, refusal(400, "Parse error: the body is not valid UTF-8", PARSE_ERROR));
    });
  }

  /** What throws here is the user's `permit`. */
  #give(carrier: Carrier, text: string, auth: Auth | undefined): void {
    try {
      this.#resource.post(carrier, text, auth);
    } catch (error) {
      this.#options.onError?.(error, "transport");
      this.#refuse(carrier, UNVERIFIED);
    }
  }

  #refuse(carrier: Carrier, fault: Refusal): void {
    refuse(carrier, fault, this.#resource.unread);
  }
}

/** A body that has not arrived yet. */
class Body implements Watched {
  looks = 0;
  before: Linked | undefined;
  behind: Linked | undefined;
  over = false;
  readonly #carrier: Carrier;
  readonly #answer: (fault: Refusal) => void;

  /** `answer` sends a refusal. */
  constructor(carrier: Carrier, answer: (fault: Refusal) => void) {
    this.#carrier = carrier;
    this.#answer = answer;
  }

  due(): void {
    this.refuse(SLOW);
  }

  refuse(fault: Refusal): void {
    if (this.over) return;
    this.over = true;
    this.#answer(fault);
    this.#carrier.end();
  }
}

const UNVERIFIED: Refusal = refusal(500, "The request could not be verified");
const CLOSING: Refusal = {
  ...refusal(503, "The server is closing"),
  headers: { Connection: "close", "Retry-After": "1" },
};
const SLOW: Refusal = { ...refusal(408, "The body took too long to arrive"), headers: { Connection: "close" } };

function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}
