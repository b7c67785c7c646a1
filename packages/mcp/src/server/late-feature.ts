import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Revision } from "../revisions/index.ts";
import type { Call, Methods } from "./contract.ts";
import type { Feature } from "./feature.ts";

/** A feature whose code is loaded when a client first calls one of its methods. */
export abstract class LateFeature<Code extends { readonly methods: Methods }> implements Feature {
  readonly methods: Methods;
  readonly #load: () => Promise<Code>;
  #loading: Promise<Code> | undefined;
  #code: Code | undefined;

  constructor(methods: readonly string[], load: () => Promise<Code>) {
    this.#load = load;
    this.methods = Object.fromEntries(
      methods.map((name) => [name, async (call: Call) => await (await this.open()).methods[name]!(call)]),
    );
  }

  abstract capabilities(revision: Revision): ServerCapabilities;

  open(): Promise<Code> {
    return (this.#loading ??= this.#load().then((code) => (this.#code = code)));
  }

  /**
   * Tells the code something, if it was ever needed: at once, or when it is there, as the promise then says. Who waits
   * for an answer of it hears what goes wrong with loading it.
   */
  tell(use: (code: Code) => void): void | Promise<void> {
    return this.#code ? use(this.#code) : this.#loading?.then(use, () => {});
  }
}
