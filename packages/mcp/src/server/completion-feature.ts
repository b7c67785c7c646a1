import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Find } from "./complete.ts";
import type { Call } from "./contract.ts";
import type { Feature } from "./feature.ts";

/** completion/complete, for servers where something completes. Loaded when a client asks. */
export class CompletionFeature implements Feature {
  readonly methods = {
    "completion/complete": async (call: Call): Promise<object> => {
      const { complete } = await import("./completion/complete.ts");
      return await complete(call, this.#find);
    },
  };
  readonly #find: Find;

  constructor(find: Find) {
    this.#find = find;
  }

  capabilities(): ServerCapabilities {
    return { completions: {} };
  }
}
