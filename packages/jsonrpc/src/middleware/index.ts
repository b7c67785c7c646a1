export { type Answer, type AnswerStore, MemoryAnswers } from "./answers.ts";
export { type DeduplicateOptions, deduplicate } from "./deduplicate.ts";
export { type LimitOptions, limit } from "./limit.ts";
export { type LogOptions, type LogRecord, type Logger, log } from "./log.ts";
export { type RetryOptions, retry } from "./retry.ts";
export { timeLimit } from "./time-limit.ts";
export { type TraceOptions, trace } from "./trace.ts";
export type { Span, SpanContext, SpanOptions, SpanScope, TraceState, Tracer } from "./tracing/tracer.ts";
