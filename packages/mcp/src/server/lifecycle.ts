import type { Context } from "@x/jsonrpc";
import type { ClientCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { LifecycleName, Revision } from "../revisions/index.ts";
import type { Asker } from "./asking/asker.ts";
import type { ServerCall } from "./call.ts";
import type { Session } from "./session.ts";

/** What is known of the client that a request came from. */
export interface ClientFacts {
  readonly revision: Revision;
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}

/** Answers one method. */
export type Method = (call: ServerCall) => unknown;

/** One way of meeting a client. */
export interface Lifecycle {
  readonly name: LifecycleName;
  /** Methods that belong to the lifecycle itself. */
  readonly methods: ReadonlyMap<string, Method>;
  /** The client behind a request; undefined when this lifecycle doesn't claim it. Throws the RpcError that refuses it. */
  accept(request: Context, session: Session): ClientFacts | undefined;
  /** How the handler's questions reach the client. */
  asker(call: ServerCall): Asker;
  /** Takes in what a request brings besides its parameters, before its method runs. */
  prepare?(call: ServerCall): void | Promise<void>;
  /** A result as this lifecycle sends it. */
  finish(result: object, call: ServerCall): object;
}
