import type { Context } from "@x/jsonrpc";
import type { ServerCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { Meta } from "../model/meta.ts";
import type { Revision } from "../revisions/index.ts";
import type { JsonSchemaValidator } from "../schema/schema.ts";
import type { Seal } from "./asking/seal.ts";
import type { ServerCall } from "./call.ts";
import type { Method } from "./lifecycle.ts";

/** What a connection needs to know of its server. */
export interface ServerCore {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly revisions: readonly Revision[];
  readonly capabilities: ServerCapabilities;
  /** What every stateless result carries. */
  readonly resultMeta: Meta;
  /** Seals what stateless clients carry from round to round. */
  readonly seal: Seal;
  /** How often one stateless request may ask for input. */
  readonly maxRounds: number;
  readonly validator: JsonSchemaValidator | undefined;
  /** Takes requests before "notifications/initialized" too. */
  readonly lenient: boolean;
  /** Methods of the server's own, in every revision. */
  readonly custom: ReadonlyMap<string, Method>;
  /** Takes notifications that are no part of the protocol. */
  notified(context: Context): unknown;
  /** Runs a method with the server's middleware around it. */
  run(method: Method, call: ServerCall): unknown;
  /** The methods of the features that this server has. */
  readonly methods: ReadonlyMap<string, Method>;
}
