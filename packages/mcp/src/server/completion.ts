import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Completable } from "./complete.ts";
import type { Call } from "./contract.ts";
import type { Feature } from "./feature.ts";

/** Values in one answer (server/utilities/completion). */
const MAX_VALUES = 100;

/** Finds what a reference names. */
export type Find = (kind: "ref/prompt" | "ref/resource", name: string) => Completable | undefined;

/** completion/complete, for servers where something completes. */
export class Completion implements Feature {
  readonly methods = { "completion/complete": (call: Call): Promise<object> => complete(call, this.#find) };
  readonly #find: Find;

  constructor(find: Find) {
    this.#find = find;
  }

  capabilities(): ServerCapabilities {
    return { completions: {} };
  }
}

async function complete(call: Call, find: Find): Promise<object> {
  const { ref, argument, context } = call.params as { readonly [name: string]: Fields | undefined };
  const completable = find(ref?.["type"] as "ref/prompt", String(ref?.["name"] ?? ref?.["uri"]));
  const { name, value } = argument ?? {};
  if (!completable) throw wrong(`there is no ${JSON.stringify(ref ?? null)}`);
  if (typeof name !== "string" || typeof value !== "string")
    throw wrong('"argument" must have a name and a value, both strings');
  if (!completable.names.includes(name)) throw wrong(`${JSON.stringify(ref)} has no argument "${name}"`);
  const others = Object.entries(context?.["arguments"] ?? {}).filter(([, other]) => typeof other === "string");
  const values = (await completable.complete?.[name]?.(value, Object.fromEntries(others), call)) ?? [];
  return {
    completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES },
  };
}

type Fields = { readonly [name: string]: unknown };

const wrong = (why: string): RpcError => new RpcError(INVALID_PARAMS, `completion/complete: ${why}`);
