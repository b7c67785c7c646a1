import type { CallOptions } from "@x/jsonrpc";
import type { ClientCapabilities, ServerCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { LogLevel } from "../model/logging.ts";
import type { Meta } from "../model/meta.ts";
import type { LifecycleName, Revision } from "../revisions/index.ts";

/** What both sides have agreed on. */
export interface Agreement {
  readonly revision: Revision;
  readonly lifecycle: Lifecycle;
  readonly server: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  /** For the model: how to use this server. */
  readonly instructions: string | undefined;
}

/** A connection whose terms are not settled yet, and what this client brings. */
export interface Link {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /** The revisions that this client speaks, newest first. */
  readonly revisions: readonly Revision[];
  request(method: string, params: object, options?: CallOptions): Promise<unknown>;
  notify(method: string, params?: object): Promise<void>;
  /** From which level on the server is asked for log messages: in each stateless request, or once a session. */
  logLevel: LogLevel | undefined;
  /** Called when a session that was lost has been started again. */
  onReopened: (() => void) | undefined;
  /** What stateless requests carry that bring no metadata of their own. */
  meta: Meta | undefined;
}

/** One way of meeting a server. */
export interface Lifecycle {
  readonly name: LifecycleName;
  /** Settles the terms. Rejects when the server can't be met this way. */
  open(link: Link, options: CallOptions): Promise<Agreement>;
  /** Tells the server that the terms are settled. From then on it may ask. */
  begin?(link: Link): Promise<void>;
  /** A request's parameters as this lifecycle sends them. */
  outgoing(params: object | undefined, link: Link, revision: Revision): object | undefined;
  /** Asks for a sign of life. */
  ping(link: Link, revision: Revision, options: CallOptions): Promise<void>;
  /** Tells a server that may have asked for the roots that they have changed. */
  rootsChanged(link: Link): Promise<void>;
  /** Lets the server log from `level` on. */
  setLogLevel(level: LogLevel, link: Link, agreement: Agreement): Promise<void>;
}
