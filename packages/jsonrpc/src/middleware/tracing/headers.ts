import type { SpanContext, SpanScope } from "./tracer.ts";
import { valuesOf } from "./values.ts";

/** The two headers of https://www.w3.org/TR/trace-context/ by name. */
interface TraceHeaders {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}

// A version after 00 may go on behind the flags. The tracer takes no notice of ids that are nothing but zeros.
const PARENT = /^(?!ff|00.{54})[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-|$)/;

/** Characters of a `tracestate` that the recommendation wants passed on; longer ones are dropped. */
const LONGEST_STATE = 512;

// Under this key @opentelemetry/api keeps the active span.
const SPAN: symbol = /* @__PURE__ */ Symbol.for("OpenTelemetry Context Key SPAN");

/** What makes a span a child of the other side's; undefined where the headers name none. */
export function parentOf(headers: unknown): SpanScope | undefined {
  const { traceparent, tracestate } = Object(headers) as TraceHeaders;
  const found = typeof traceparent === "string" && PARENT.exec(traceparent);
  if (!found) return undefined;
  const [, traceId, spanId, flags] = found as unknown as [string, string, string, string];
  const span = { traceId, spanId, traceFlags: Number(`0x${flags}`), isRemote: true, traceState: stateOf(tracestate) };
  return valuesOf([[SPAN, { spanContext: () => span }]]);
}

function stateOf(text: unknown): SpanContext["traceState"] {
  if (typeof text !== "string" || text.length > LONGEST_STATE) return undefined;
  return valuesOf(text.split(",").map((pair) => pair.trim().split("=") as [string, string]));
}

/** Of the flags only the two that version 00 defines are passed on. */
export const headersOf = ({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceHeaders => ({
  traceparent: `00-${traceId}-${spanId}-0${traceFlags & 3}`,
  ...(traceState && { tracestate: traceState.serialize() }),
});
