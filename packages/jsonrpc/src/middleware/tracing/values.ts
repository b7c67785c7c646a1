import type { SpanScope, TraceState } from "./tracer.ts";

type Key = string | symbol;
type Pair = readonly [Key, unknown];

/**
 * Immutable values, the latest first. OpenTelemetry has them twice, with other names for the same methods: as its context
 * (getValue, …) and as the `tracestate` (get, …).
 */
export function valuesOf(pairs: readonly Pair[]): SpanScope & TraceState {
  const get = (key: Key) => pairs.find(([name]) => name === key)?.[1] as never;
  const others = (key: Key) => pairs.filter(([name]) => name !== key);
  const set = (key: Key, value: unknown) => valuesOf([[key, value], ...others(key)]);
  const unset = (key: Key) => valuesOf(others(key));
  return {
    getValue: get,
    setValue: set,
    deleteValue: unset,
    get,
    set,
    unset,
    serialize: () => pairs.map((pair) => pair.join("=")).join(),
  };
}
