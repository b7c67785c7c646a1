import { placeOf } from "./address.ts";
import { AuthError, type Step, quote } from "./error.ts";

/** Which addresses may be asked. */
export interface TrustOptions {
  /** Hosts, with or without port, that may be in a private network or be asked without TLS: "as.corp.example:8443". */
  readonly allow?: readonly string[] | undefined;
  /** Throws for a host that only seems to be public, as `publicAddress` of @x/mcp-auth/node does. */
  readonly check?: ((url: URL) => void | Promise<void>) | undefined;
}

/**
 * Which addresses that a server names are asked: with TLS and in public networks, or in the place where the server itself
 * is, since a server on this machine may well name another on this machine.
 */
export class Trust {
  readonly #home: URL;
  readonly #options: TrustOptions;
  readonly #remedy: string;

  /** `home` is the server, which somebody has chosen; `remedy` is the option by which more can be chosen. */
  constructor(home: URL, options: TrustOptions, remedy = "allow") {
    this.#home = home;
    this.#options = options;
    this.#remedy = remedy;
  }

  /** The same for another address that somebody has chosen. */
  nearTo(home: URL): Trust {
    return new Trust(home, this.#options, this.#remedy);
  }

  /** Gives the address if it may be asked; rejects with an AuthError that says why not. */
  async check(step: Step, address: string | URL): Promise<URL> {
    const url = parse(step, address);
    const { allow = [], check } = this.#options;
    if (allow.includes(url.host) || allow.includes(url.hostname)) return url;
    const place = placeOf(url.hostname);
    const home = placeOf(this.#home.hostname);
    if (place !== "public" && place !== home)
      throw new AuthError(
        step,
        url,
        `expected a public host, got a ${place} one; the option "${this.#remedy}" lets it be asked`,
      );
    const plain = place === "loopback" || (this.#home.protocol === "http:" && place === home && place !== "public");
    if (url.protocol !== "https:" && !plain) throw new AuthError(step, url, 'expected "https:", got "http:"');
    if (place === "public") await refusing(step, url, check);
    return url;
  }
}

async function refusing(step: Step, url: URL, check: TrustOptions["check"]): Promise<void> {
  try {
    await check?.(url);
  } catch (cause) {
    throw new AuthError(step, url, cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function parse(step: Step, address: string | URL): URL {
  const text = String(address);
  if (!URL.canParse(text)) throw new AuthError(step, text, `expected a URL, got ${quote(text)}`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new AuthError(step, url, `expected "https:", got ${quote(url.protocol)}`);
  if (url.username !== "" || url.password !== "") throw new AuthError(step, url, "expected no credentials in the URL");
  return url;
}
