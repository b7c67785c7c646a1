import type { JsonSchema } from "./json.ts";

/** A form that the client shows. `requestedSchema` is an object with flat properties. */
export interface ElicitFormParams {
  readonly mode?: "form";
  readonly message: string;
  readonly requestedSchema: JsonSchema;
}

/** An address that the client asks leave to open. `elicitationId` is of 2025-11-25 only. */
export interface ElicitUrlParams {
  readonly mode: "url";
  readonly message: string;
  readonly url: string;
  readonly elicitationId?: string;
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams;

export type ElicitAction = "accept" | "decline" | "cancel";

/** What a person filled into a form. */
export type ElicitContent = { readonly [field: string]: string | number | boolean | readonly string[] };

export interface ElicitResult {
  readonly action: ElicitAction;
  /** Only with `accept` of a form. */
  readonly content?: ElicitContent;
}
