import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { ANSWER_TTL } from "./asker.ts";

export interface SealOptions {
  /** Secret that seals what a client carries between rounds; at least 32 bytes, the same in every process that serves. */
  readonly key?: string | Uint8Array | undefined;
  /** ms for which a sealed state is taken back, and for which a question after a handshake waits (default 600,000). */
  readonly ttl?: number | undefined;
  /**
   * Called with each state that comes back, by its id: false refuses it, as used before. `until` is when it expires, ms
   * of `Date.now()`. Without this a state may come back more than once, for whoever can repeat the work.
   */
  readonly claim?: ((id: string, until: number) => boolean | Promise<boolean>) | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const IV_BYTES = 12;

/** Seals a value so that only this server can read it, for a while, and only for the purpose it was sealed for (AES-256-GCM). */
export class Seal {
  readonly #given: string | Uint8Array | undefined;
  readonly #ttl: number;
  #key: Promise<CryptoKey> | undefined;

  constructor({ key, ttl = ANSWER_TTL }: SealOptions = {}) {
    if (key !== undefined && bytesOf(key).length < 32)
      throw new TypeError("the key of a seal must have at least 32 bytes");
    this.#given = key;
    this.#ttl = ttl;
  }

  async seal(value: unknown, purpose: string): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    // JSON has no Infinity.
    const until = Math.min(Date.now() + this.#ttl, Number.MAX_SAFE_INTEGER);
    const text = JSON.stringify({ value, until });
    const sealed = await crypto.subtle.encrypt(algorithm(iv, purpose), await this.#secret(), encoder.encode(text));
    return toBase64Url(iv) + toBase64Url(new Uint8Array(sealed));
  }

  /** Throws -32602 for what was altered, is too old, or was sealed for something else. */
  async open(sealed: string, purpose: string): Promise<{ readonly value: unknown; readonly until: number }> {
    const opened = await this.#decrypt(sealed, purpose);
    if (opened.until < Date.now())
      throw new RpcError(INVALID_PARAMS, "requestState is refused: it has expired; start again without it");
    return opened;
  }

  async #decrypt(sealed: string, purpose: string): Promise<{ value: unknown; until: number }> {
    try {
      const iv = fromBase64Url(sealed.slice(0, 16));
      const plain = await crypto.subtle.decrypt(
        algorithm(iv, purpose),
        await this.#secret(),
        fromBase64Url(sealed.slice(16)),
      );
      return JSON.parse(decoder.decode(plain)) as { value: unknown; until: number };
    } catch {
      const hint = this.#given === undefined ? "; where several processes serve, give each the same state.key" : "";
      throw new RpcError(
        INVALID_PARAMS,
        `requestState is refused: it was altered, or sealed for another caller or request${hint}`,
      );
    }
  }

  #secret(): Promise<CryptoKey> {
    return (this.#key ??= importKey(
      this.#given === undefined ? crypto.getRandomValues(new Uint8Array(32)) : bytesOf(this.#given),
    ));
  }
}

const bytesOf = (key: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof key === "string" ? encoder.encode(key) : new Uint8Array(key);

const algorithm = (
  iv: Uint8Array<ArrayBuffer>,
  purpose: string,
): { name: string; iv: Uint8Array; additionalData: Uint8Array } => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(purpose),
});

async function importKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest("SHA-256", secret);
  return await crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
