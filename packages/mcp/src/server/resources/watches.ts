import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { Watch } from "../resource.ts";

/** Hears that a resource has changed. Told from others by identity. */
export type Watcher = (uri: string) => void;

interface Watched {
  readonly watchers: Set<Watcher>;
  stop: (() => void) | void;
}

/** Resources that one watcher may watch. */
const MAX_WATCHED = 1000;

/** Who watches which resource, over all connections: each source is started for the first and stopped after the last. */
export class Watches {
  readonly #watched = new Map<string, Watched>();
  readonly #uris = new Map<Watcher, Set<string>>();
  readonly #due = new Set<string>();

  /** Throws what `start` throws, and -32602 for one resource too many; then nothing is watched. */
  add(uri: string, watcher: Watcher, start: Watch | undefined): void {
    const uris = this.#uris.get(watcher) ?? new Set();
    if (uris.has(uri)) return;
    if (uris.size >= MAX_WATCHED) throw new RpcError(INVALID_PARAMS, `At most ${MAX_WATCHED} resources can be watched`);
    const watched = this.#watched.get(uri) ?? { watchers: new Set(), stop: undefined };
    this.#watched.set(uri, watched);
    this.#uris.set(watcher, uris.add(uri));
    watched.watchers.add(watcher);
    if (watched.watchers.size > 1) return;
    try {
      watched.stop = start?.(uri, () => this.updated(uri));
    } catch (error) {
      this.delete(uri, watcher);
      throw error;
    }
  }

  /** Also for a watcher that has gone already. */
  delete(uri: string, watcher: Watcher): void {
    const uris = this.#uris.get(watcher);
    const watched = this.#watched.get(uri);
    if (!uris?.delete(uri) || !watched) return;
    if (uris.size === 0) this.#uris.delete(watcher);
    watched.watchers.delete(watcher);
    if (watched.watchers.size > 0) return;
    this.#watched.delete(uri);
    try {
      watched.stop?.();
    } catch (error) {
      // The client that has gone is not to blame, and nobody else can be told.
      console.error(error);
    }
  }

  deleteAll(watcher: Watcher): void {
    for (const uri of [...(this.#uris.get(watcher) ?? [])]) this.delete(uri, watcher);
  }

  /** All updates of one turn are announced once. */
  updated(uri: string): void {
    if (!this.#watched.has(uri)) return;
    if (this.#due.size === 0) queueMicrotask(() => this.#announce());
    this.#due.add(uri);
  }

  #announce(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const uri of due) for (const watcher of this.#watched.get(uri)?.watchers ?? []) watcher(uri);
  }
}
