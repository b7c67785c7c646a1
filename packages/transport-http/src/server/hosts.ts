import type { HttpRequest } from "./carrier.ts";
import { type Refusal, refusal } from "./refusal.ts";

/** Which host names, or which origins, are let in. */
export type Allowed = readonly string[] | "any";

const LOCAL: readonly string[] = ["localhost", "127.0.0.1", "[::1]", "[::ffff:7f00:1]"];

/** Names seen are remembered, as far as these many: each request of a client has the same. */
const REMEMBERED = 100;

/**
 * Checks `Host` and `Origin`, so that a web page can't reach a local server through a name of its own (DNS rebinding).
 * Names compare without their port and without case; IPv6 addresses in any spelling.
 */
export class HostCheck {
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string> | undefined;
  readonly #knownHosts = new Map<string, boolean>();
  readonly #knownOrigins = new Map<string, boolean>();

  constructor(hosts: Allowed = LOCAL, origins?: Allowed) {
    this.#hosts = hosts === "any" ? undefined : new Set(hosts.map((host) => nameOf(host) ?? host));
    // Whoever may be asked for by a name may also be the page that asks, unless pages are listed on their own.
    const pages = origins ?? hosts;
    this.#origins = pages === "any" ? undefined : new Set(pages.map((page) => originOf(page) ?? nameOf(page) ?? page));
  }

  /** Why the request is refused; undefined to let it in. */
  refuse(request: HttpRequest): Refusal | undefined {
    const host = request.header("host") ?? request.header(":authority");
    if (this.#hosts && !remembered(this.#knownHosts, host ?? "", (text) => this.#isHost(text)))
      return refusal(403, `The host ${JSON.stringify(host ?? "")} is not served here; name it in the option "hosts"`);
    const origin = request.header("origin");
    if (origin === undefined || !this.#origins) return undefined;
    if (remembered(this.#knownOrigins, origin, (text) => this.#isOrigin(text))) return undefined;
    return refusal(403, `The origin ${JSON.stringify(origin)} is not allowed here; name it in the option "origins"`);
  }

  #isHost(text: string): boolean {
    const name = nameOf(text);
    return name !== undefined && this.#hosts!.has(name);
  }

  #isOrigin(text: string): boolean {
    const origin = originOf(text);
    return origin !== undefined && (this.#origins!.has(origin) || this.#origins!.has(new URL(origin).hostname));
  }
}

function remembered(known: Map<string, boolean>, text: string, judge: (text: string) => boolean): boolean {
  let verdict = known.get(text);
  if (verdict === undefined) {
    verdict = judge(text);
    if (known.size >= REMEMBERED) known.clear();
    known.set(text, verdict);
  }
  return verdict;
}

/** `localhost:3000` → `localhost`; `[0::1]` → `[::1]`; undefined for what is no host. */
function nameOf(host: string): string | undefined {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) return undefined;
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined;
}

/** `https://App.example:443` → `https://app.example`; undefined for what is no origin of a web page. */
function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@]+$/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, hostname } = new URL(text);
  return hostname === "" ? undefined : origin;
}
