import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { Find } from "../complete.ts";
import type { Call } from "../contract.ts";

/** Values in one answer (server/utilities/completion). */
const MAX_VALUES = 100;

/** completion/complete */
export async function complete(call: Call, find: Find): Promise<object> {
  const { ref, argument, context } = call.params as { readonly [name: string]: Fields | undefined };
  const completable = await find(ref?.["type"], String(ref?.["name"] ?? ref?.["uri"]));
  if (!completable) throw wrong(`there is no ${JSON.stringify(ref ?? null)}`);
  const { name, value } = argument ?? {};
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
