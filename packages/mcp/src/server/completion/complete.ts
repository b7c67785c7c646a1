import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { Completable } from "../complete.ts";
import type { Call, Methods } from "../contract.ts";
import type { Features } from "../features.ts";

/** Values in one answer (server/utilities/completion). */
const MAX_VALUES = 100;

/** Completes the arguments of prompts and the variables of resource templates. */
export class Completion {
  readonly methods: Methods = { "completion/complete": (call) => this.#complete(call) };
  readonly #features: Features;

  constructor(features: Features) {
    this.#features = features;
  }

  async #complete(call: Call): Promise<object> {
    const { ref, argument, context } = call.params as { readonly [name: string]: Fields | undefined };
    const completable = await this.#find(ref?.["type"], String(ref?.["name"] ?? ref?.["uri"]));
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

  /** What a reference of a client names: `kind` is "ref/prompt" or "ref/resource", or not known here. */
  async #find(kind: unknown, name: string): Promise<Completable | undefined> {
    const { prompts, resources } = this.#features;
    if (kind === "ref/prompt") return (await prompts?.open())?.completable(name);
    return kind === "ref/resource" ? (await resources?.open())?.completable(name) : undefined;
  }
}

type Fields = { readonly [name: string]: unknown };

const wrong = (why: string): RpcError => new RpcError(INVALID_PARAMS, `completion/complete: ${why}`);
