// The part of @opentelemetry/api that tracing needs, as types: its Tracer can be given wherever this one is asked for.

/** https://www.w3.org/TR/trace-context/, as @opentelemetry/api names its parts. */
export interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
  readonly traceState?: TraceState | undefined;
}

export interface TraceState {
  get(key: string): string | undefined;
  set(key: string, value: string): TraceState;
  unset(key: string): TraceState;
  serialize(): string;
}

export interface Span {
  spanContext(): SpanContext;
  /** Undefined leaves the attribute out. */
  setAttribute(key: string, value: string | undefined): unknown;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** What a span's parent is found in. */
export interface SpanScope {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): SpanScope;
  deleteValue(key: symbol): SpanScope;
}

export interface SpanOptions {
  readonly kind?: number;
  readonly attributes?: { readonly [name: string]: string };
}

export interface Tracer {
  startActiveSpan<R>(name: string, options: SpanOptions, scope: SpanScope | undefined, run: (span: Span) => R): R;
}
