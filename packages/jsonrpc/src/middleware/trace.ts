import { isRpcError } from "../errors.ts";
import type { Middleware } from "../handler.ts";
import { watch } from "./after.ts";
import { headersOf, parentOf } from "./tracing/headers.ts";
import type { Span, Tracer } from "./tracing/tracer.ts";

export interface TraceOptions {
  /** The member of by-name parameters in which the trace context travels (default "_meta", as in MCP). */
  readonly member?: string | undefined;
}

/**
 * Makes a span of each call, incoming or outgoing: a child of the caller's span where the parameters name it, else of
 * the active one. The handler runs with the span active, and the trace's id is in `call.state.traceId`. The tracer is
 * one of @opentelemetry/api or of its shape; attributes follow OpenTelemetry's conventions for JSON-RPC. Calls without
 * parameters, or with parameters by position, have no place for the context and are sent as they are.
 */
export function trace(tracer: Tracer, { member = "_meta" }: TraceOptions = {}): Middleware {
  return (call, next) => {
    const incoming = "info" in call;
    const params = call.params as Record<string, object> | undefined;
    const attributes = { "rpc.system.name": "jsonrpc", "rpc.method": call.method, "jsonrpc.protocol.version": "2.0" };
    // SpanKind.SERVER and SpanKind.CLIENT of @opentelemetry/api.
    const options = { kind: incoming ? 1 : 2, attributes };
    const parent = incoming ? parentOf(params?.[member]) : undefined;
    return tracer.startActiveSpan(call.method, options, parent, (span) => {
      const own = span.spanContext();
      // Nothing but zeros where no tracing is set up.
      if (/[^0]/.test(own.traceId)) {
        call.state["traceId"] = own.traceId;
        if (!incoming && params && !Array.isArray(params))
          call.params = { ...params, [member]: { ...params[member], ...headersOf(own) } };
      }
      return watch(next, (outcome, failed) => {
        // An outgoing call has its id only once it has been sent.
        span.setAttribute("jsonrpc.request.id", call.id?.toString());
        if (failed) fail(span, outcome);
        span.end();
      });
    });
  };
}

function fail(span: Span, error: unknown): void {
  const { name, message } = Object(error) as Error;
  const code = isRpcError(error) ? String(error.code) : undefined;
  span.setAttribute("rpc.response.status_code", code);
  span.setAttribute("error.type", code ?? name);
  // SpanStatusCode.ERROR
  span.setStatus({ code: 2, message });
}
