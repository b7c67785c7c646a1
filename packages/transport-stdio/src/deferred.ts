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
  return { promise: quiet(promise), resolve, reject };
}

/** The same promise, which may now be left alone also when it rejects. */
export function quiet(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}
