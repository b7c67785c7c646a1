/** A promise that is settled from outside. Leaving it alone is safe, also when it rejects. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** A rejected promise that may be left alone. */
export function rejected(reason: unknown): Promise<void> {
  const { promise, reject } = deferred();
  reject(reason);
  return promise;
}
