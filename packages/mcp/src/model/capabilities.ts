import type { JsonObject } from "./json.ts";

type Extensions = { readonly [id: string]: JsonObject };

/** What a client offers: at `initialize`, or with each stateless request. An absent key means no support. */
export interface ClientCapabilities {
  readonly experimental?: Extensions;
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly context?: JsonObject; readonly tools?: JsonObject };
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly tasks?: JsonObject;
  readonly extensions?: Extensions;
}

/** What a server offers. An absent key means no support. */
export interface ServerCapabilities {
  readonly experimental?: Extensions;
  readonly logging?: JsonObject;
  readonly completions?: JsonObject;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  /** 2025-11-25 only. */
  readonly tasks?: {
    readonly list?: JsonObject;
    readonly cancel?: JsonObject;
    readonly requests?: { readonly tools?: { readonly call?: JsonObject } };
  };
  readonly extensions?: Extensions;
}
