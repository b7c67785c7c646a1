import { Late } from "../late.ts";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Revision } from "../revisions/index.ts";
import type { Call, Methods } from "./contract.ts";
import type { Feature } from "./feature.ts";

/** A feature whose code is loaded when a client first calls one of its methods. */
export abstract class LateFeature<Code extends { readonly methods: Methods }> extends Late<Code> implements Feature {
  readonly methods: Methods;

  constructor(methods: readonly string[], load: () => Promise<Code>) {
    super(load);
    this.methods = Object.fromEntries(
      methods.map((name) => [name, async (call: Call) => await (await this.open()).methods[name]!(call)]),
    );
  }

  abstract capabilities(revision: Revision): ServerCapabilities;
}
