// The globals that Node, Deno, Bun, browsers and edge runtimes share, and no more than our neutral packages use.
// Seen only while those packages compile: the published declarations name AbortSignal and the like, which a
// consumer has from lib "DOM" or from its runtime's types, and declare none of them.

type AbortListener = (() => void) | { handleEvent(): void };

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: AbortListener, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: AbortListener): void;
}
// AbortSignal.any is left out: Node has it only from 20.3 on.
declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal;
  timeout(ms: number): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController };

/** A number in browsers, an object in Node: only `typeof timer === "object"` makes `unref` available. */
declare function setTimeout(run: () => void, ms?: number): number | { unref(): unknown };
declare function clearTimeout(timer: ReturnType<typeof setTimeout> | undefined): void;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<T>(value: T): T;

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}
declare const TextEncoder: { new (): TextEncoder };

interface TextDecoder {
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { readonly stream?: boolean }): string;
}
declare const TextDecoder: {
  new (encoding?: "utf-8", options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean }): TextDecoder;
};

declare function atob(base64: string): string;
declare function btoa(binary: string): string;

declare const console: Readonly<Record<"debug" | "info" | "log" | "warn" | "error", (...values: unknown[]) => void>>;
declare const performance: { now(): number; readonly timeOrigin: number };

interface CryptoKey {
  readonly type: string;
}
type CryptoBytes = ArrayBuffer | ArrayBufferView<ArrayBuffer>;
type CryptoAlgorithm = string | { readonly name: string; readonly [parameter: string]: unknown };
declare const crypto: {
  getRandomValues<T extends ArrayBufferView<ArrayBuffer>>(into: T): T;
  randomUUID(): `${string}-${string}-${string}-${string}-${string}`;
  readonly subtle: {
    digest(algorithm: CryptoAlgorithm, bytes: CryptoBytes): Promise<ArrayBuffer>;
    importKey(
      format: "raw",
      key: CryptoBytes,
      algorithm: CryptoAlgorithm,
      extractable: boolean,
      usages: readonly string[],
    ): Promise<CryptoKey>;
    sign(algorithm: CryptoAlgorithm, key: CryptoKey, bytes: CryptoBytes): Promise<ArrayBuffer>;
    verify(algorithm: CryptoAlgorithm, key: CryptoKey, signature: CryptoBytes, bytes: CryptoBytes): Promise<boolean>;
    encrypt(algorithm: CryptoAlgorithm, key: CryptoKey, bytes: CryptoBytes): Promise<ArrayBuffer>;
    decrypt(algorithm: CryptoAlgorithm, key: CryptoKey, bytes: CryptoBytes): Promise<ArrayBuffer>;
  };
};

interface MessageEvent {
  readonly data: unknown;
}
interface MessagePort {
  postMessage(value: unknown): void;
  start(): void;
  close(): void;
  addEventListener(type: "message" | "messageerror", listener: (event: MessageEvent) => void): void;
  addEventListener(type: "close", listener: () => void): void;
  removeEventListener(type: "message" | "messageerror", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "close", listener: () => void): void;
}

interface URL {
  readonly href: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly origin: string;
}
declare const URL: { new (url: string, base?: string | URL): URL; canParse(url: string, base?: string): boolean };
