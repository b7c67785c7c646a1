import type { Method } from "../contract.ts";
import { INVALID_PARAMS, RpcError } from "../errors.ts";
import type { Call, Middleware } from "../handler.ts";
import type { InputOf, OutputOf, StandardIssue, StandardSchema } from "./standard-schema.ts";
import { after } from "./after.ts";
import { ValidationError } from "./validation-error.ts";

/** The schemas of a method. Without one for `params` it has none, without one for `result` anything may come back. */
export interface MethodSchemas {
  readonly params?: StandardSchema | undefined;
  readonly result?: StandardSchema | undefined;
}

export type Schemas = { readonly [method: string]: MethodSchemas };

/**
 * The contract that schemas describe, for `implement` and `createPeer`. Callers give what the schema of the parameters
 * takes and get what that of the result makes; handlers get what the first makes and give what the second takes.
 */
export type ContractOf<S extends Schemas> = {
  readonly [M in keyof S]: Method<
    (...params: Parameters<S[M], "input">) => Result<S[M], "output">,
    (...params: Parameters<S[M], "output">) => Result<S[M], "input">
  >;
};

type Side<S extends StandardSchema, Of extends "input" | "output"> = Of extends "input" ? InputOf<S> : OutputOf<S>;
type Parameters<S extends MethodSchemas, Of extends "input" | "output"> = S extends {
  readonly params: infer P extends StandardSchema;
}
  ? [params: Side<P, Of>]
  : [];
type Result<S extends MethodSchemas, Of extends "input" | "output"> = S extends {
  readonly result: infer R extends StandardSchema;
}
  ? Side<R, Of>
  : unknown;

/**
 * Checks calls against schemas; methods that have none are let through. Incoming parameters that don't fit are answered
 * with -32602 and `{ issues }`; a result of one's own that doesn't is a ValidationError for `onError`, and -32603 for
 * the caller. Outgoing, either rejects the call with a ValidationError, for parameters before anything is sent. What
 * the schemas make of a value is passed on, but outgoing parameters are sent as they are: the other side parses them.
 */
export function validate(schemas: Schemas): Middleware {
  const byMethod = new Map(Object.entries(schemas));
  return (call, next) => {
    const method = byMethod.get(call.method);
    if (!method) return next();
    return "info" in call ? incoming(call, next, method) : outgoing(call, next, method);
  };
}

type Refuse = (issues: readonly StandardIssue[]) => unknown;

function incoming(call: Call, next: () => unknown, { params, result }: MethodSchemas): unknown {
  const refuse: Refuse = (issues) => {
    const { message, issues: told } = new ValidationError(call.method, "params", issues);
    throw new RpcError(INVALID_PARAMS, message, { issues: told });
  };
  return after(check(params, call.params, refuse), (value) => {
    call.params = value;
    return after(next(), (own) => check(result, own, refused(call, "result")));
  });
}

function outgoing(call: Call, next: () => unknown, { params, result }: MethodSchemas): unknown {
  const refuse = refused(call, "result");
  return after(check(params, call.params, refused(call, "params")), () =>
    after(next(), (value) =>
      // A method that gives nothing is answered with null.
      check(result, value, value === null ? () => check(result, undefined, refuse) : refuse),
    ),
  );
}

const refused =
  ({ method }: Call, subject: "params" | "result"): Refuse =>
  (issues) => {
    throw new ValidationError(method, subject, issues);
  };

/** What the schema makes of a value, or else what `refuse` does. */
function check(schema: StandardSchema | undefined, value: unknown, refuse: Refuse): unknown {
  if (!schema) return value;
  return after(schema["~standard"].validate(value), (outcome) =>
    outcome.issues ? refuse(outcome.issues) : outcome.value,
  );
}
