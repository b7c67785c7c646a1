import type { ClientCapabilities } from "../model/capabilities.ts";
import type { Implementation } from "../model/implementation.ts";
import type { Revision } from "../revisions/index.ts";

/** What is known of the client that a request came from. */
export interface ClientFacts {
  readonly revision: Revision;
  readonly info: Implementation | undefined;
  readonly capabilities: ClientCapabilities;
}
