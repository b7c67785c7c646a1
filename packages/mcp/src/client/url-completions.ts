import { ClosedError } from "@x/jsonrpc";

interface Wait {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Who waits to hear that something is done where a person has opened it (client/elicitation, 2025-11-25). */
export class UrlCompletions {
  readonly #waits = new Map<unknown, Set<Wait>>();
  #over: ClosedError | undefined;

  /** `closed` resolves when the connection has ended. */
  constructor(closed: Promise<unknown>) {
    void closed.then((cause) => {
      this.#over = new ClosedError("The connection has ended", { cause, sent: true });
      for (const waits of this.#waits.values()) for (const { reject } of waits) reject(this.#over);
    });
  }

  async wait(id: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#over) throw this.#over;
    const waits = this.#waits.get(id) ?? new Set();
    this.#waits.set(id, waits);
    await new Promise<void>((resolve, reject) => {
      const over = (): void => {
        waits.delete(wait);
        if (waits.size === 0) this.#waits.delete(id);
        signal?.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => wait.reject(signal?.reason);
      const wait: Wait = {
        resolve: () => (over(), resolve()),
        reject: (reason) => (over(), reject(reason)),
      };
      waits.add(wait);
      signal?.addEventListener("abort", giveUp);
    });
  }

  /** Ids that nobody waits for are none of ours, or done already. */
  completed(params: unknown): void {
    const { elicitationId } = (params ?? {}) as { elicitationId?: unknown };
    for (const { resolve } of [...(this.#waits.get(elicitationId) ?? [])]) resolve();
  }
}
