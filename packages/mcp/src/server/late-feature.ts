import { Late } from "../late.ts";
import type { Methods } from "./contract.ts";
import type { Feature } from "./feature.ts";

/** A feature whose code is loaded when a client first calls one of its methods. */
export class LateFeature<Code extends { readonly methods: Methods }> extends Late<Code> implements Feature {
  readonly methods: Methods;
  readonly capabilities: Feature["capabilities"];

  constructor(methods: readonly string[], capabilities: Feature["capabilities"], load: () => Promise<Code>) {
    super(load);
    this.capabilities = capabilities;
    this.methods = Object.fromEntries(
      methods.map((name) => [name, async (call) => await (await this.open()).methods[name]!(call)]),
    );
  }
}
