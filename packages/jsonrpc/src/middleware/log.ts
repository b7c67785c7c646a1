import { INTERNAL_ERROR, isRpcError } from "../errors.ts";
import type { Call, Middleware } from "../handler.ts";
import type { Id } from "../message.ts";
import { after, watch } from "./after.ts";
import { redact } from "./redact.ts";

/** The usual four methods, each of which is given one record: `console`, pino and the like. */
export interface Logger {
  debug(record: LogRecord): unknown;
  info(record: LogRecord): unknown;
  warn(record: LogRecord): unknown;
  error(record: LogRecord): unknown;
}

/** One call, when it is over. Members that don't apply are left out. */
export interface LogRecord {
  readonly direction: "in" | "out";
  /** None for a notification. */
  readonly id?: Id;
  readonly method: string;
  /** From `trace`, or from whatever else sets `call.state.traceId`. */
  readonly traceId?: unknown;
  /** ms, to the microsecond. */
  readonly duration: number;
  /** cancelled: the call failed after its signal was aborted, by its caller or by the end of the connection. */
  readonly outcome: "ok" | "error" | "cancelled";
  /** The error's code on the wire; none where a call failed on this side before it had an answer. */
  readonly code?: number;
  /** The error's name and message, of local causes too. */
  readonly error?: string;
  readonly params?: unknown;
  /** Characters of the parameters as JSON. */
  readonly paramsSize?: number;
  /** Characters of the result as JSON. */
  readonly resultSize?: number;
}

export interface LogOptions {
  /** Log the parameters (default false). */
  readonly params?: boolean | undefined;
  /** What of them is replaced by "[redacted]": `card.number`, `users.*.password`, `0.token` by position. */
  readonly redact?: readonly string[] | undefined;
  /** Log sizes (default false): parameters and result are serialised once more for it. */
  readonly sizes?: boolean | undefined;
  /** Default: info for ok and cancelled, warn for an RpcError, error for everything else. */
  readonly level?: ((record: LogRecord) => keyof Logger) | undefined;
}

/** Hands the logger one record for each call, incoming or outgoing. A logger that throws or rejects doesn't disturb the call. */
export function log(logger: Logger, options: LogOptions = {}): Middleware {
  const { params, sizes, level = levelOf } = options;
  const paths = (options.redact ?? []).map((path) => path.split("."));
  return (call, next) => {
    const start = performance.now();
    const given = call.params;
    return watch(next, (outcome, failed) => {
      const record = compact({
        direction: isIncoming(call) ? "in" : "out",
        id: call.id,
        method: call.method,
        traceId: call.state["traceId"],
        duration: Math.round((performance.now() - start) * 1000) / 1000,
        ...(failed ? failure(outcome, call) : { outcome: "ok" }),
        params: params ? paths.reduce(redact, given) : undefined,
        paramsSize: sizes ? sizeOf(given) : undefined,
        resultSize: sizes && !failed ? sizeOf(outcome) : undefined,
      });
      // Nobody can be told of a logger that rejects.
      void after(logger[level(record)](record), nothing, nothing);
    });
  };
}

const nothing = (): void => {};

const isIncoming = (call: Call): boolean => "info" in call;

function failure(error: unknown, call: Call): object {
  if (isRpcError(error)) return { outcome: "error", code: error.code, error: String(error) };
  if (call.signal.aborted) return { outcome: "cancelled", error: String(error) };
  return { outcome: "error", code: isIncoming(call) ? INTERNAL_ERROR : undefined, error: String(error) };
}

function levelOf({ outcome, code = INTERNAL_ERROR }: LogRecord): keyof Logger {
  if (outcome !== "error") return "info";
  return code === INTERNAL_ERROR ? "error" : "warn";
}

/** Undefined for what can't be sent. */
function sizeOf(value: unknown): number | undefined {
  try {
    return JSON.stringify(value)?.length;
  } catch {
    return undefined;
  }
}

/** Without the members that don't apply, which loggers would show as undefined. */
function compact(members: Readonly<Record<string, unknown>>): LogRecord {
  const record: Record<string, unknown> = {};
  for (const name in members) if (members[name] !== undefined) record[name] = members[name];
  return record as unknown as LogRecord;
}
