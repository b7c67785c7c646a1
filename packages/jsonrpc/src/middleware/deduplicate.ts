import { INTERNAL_ERROR, INVALID_REQUEST, RpcError, SERVER_ERROR } from "../errors.ts";
import { type Context, type Middleware, isPromise } from "../handler.ts";
import { after, settle } from "./after.ts";
import { type Answer, type AnswerStore, MemoryAnswers } from "./answers.ts";

export interface DeduplicateOptions {
  /** ms for which an answer is replayed (default 300,000). */
  readonly ttl?: number | undefined;
  /**
   * Calls with the same key are one call; undefined for a call that is like no other. Default: connection, id, method
   * and parameters together. A key of one's own has to name whose call it is, or one caller gets another's answer.
   */
  readonly key?: ((call: Context) => string | undefined) | undefined;
  /** Where answers are kept (default: 1,000 of them in memory). */
  readonly store?: AnswerStore | undefined;
}

/**
 * Runs a repeated call once: while it runs the repetitions wait for its answer, afterwards it is replayed to them.
 * Errors are answers too, but for those that say the call did not take place (-32600, -32099…-32000) and those of a
 * call that was aborted: after these it runs again.
 */
export function deduplicate(options: DeduplicateOptions = {}): Middleware<Context> {
  const { ttl = 300_000, key = byId(), store = new MemoryAnswers() } = options;
  return (call, next) => {
    const name = key(call);
    if (name === undefined) return next();
    const claim = store.claim(name, ttl);
    return after(claim, (answer) => {
      if (answer) return replay(answer);
      return settle(
        () => {
          // Whoever waited may have been cancelled meanwhile. Others are not asked: their signal would have to be made.
          if (isPromise(claim)) call.signal.throwIfAborted();
          return next();
        },
        (result) => after(store.keep(name, { result }, ttl), () => result),
        (error) => {
          const { code, message, data } = RpcError.is(error) ? error : INTERNAL;
          const kept = isFinal(code) && !call.signal.aborted;
          return after(kept ? store.keep(name, { error: { code, message, data } }, ttl) : store.release(name), () => {
            throw error;
          });
        },
      );
    });
  };
}

/** What the core answers for errors that are none of the caller's business. */
const INTERNAL = { code: INTERNAL_ERROR, message: "Internal error", data: undefined };

const isFinal = (code: number): boolean => code !== INVALID_REQUEST && (code < -32099 || code > SERVER_ERROR);

function replay({ result, error }: Answer & { readonly result?: unknown }): unknown {
  if (error) throw new RpcError(error.code, error.message, error.data);
  return result;
}

/** Without a connection ids are anybody's. Method and parameters are in the key for callers that use an id again. */
function byId(): (call: Context) => string | undefined {
  const names = new WeakMap<object, string>();
  return ({ connection, id, method, params }) => {
    if (!connection || (id ?? null) === null) return undefined;
    let name = names.get(connection);
    if (!name) names.set(connection, (name = crypto.randomUUID()));
    return `${name} ${digest(JSON.stringify([id, method, params]))}`;
  };
}

/** The text's beginning and a sum of it, since it may be long. */
function digest(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16777619);
  return `${text.slice(0, 99)} ${text.length} ${sum}`;
}
