/** `then` for what may be a value already: a value goes on in the same turn, without a promise. */
export function after<T, R>(value: T | PromiseLike<T>, go: (value: T) => R | PromiseLike<R>): R | PromiseLike<R> {
  return isPromise(value) ? value.then(go) : go(value);
}

export const isPromise = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === "object" && value !== null && typeof (value as PromiseLike<T>).then === "function";
