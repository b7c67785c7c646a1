import { Outbound } from "./outbound.ts";

/** The half that calls, for a connection that is not one itself. */
export class Calling extends Outbound {
  /** The connection has ended: no answer can come any more; or it is closed, and nothing can be sent either. */
  override end(reason: unknown, state: "ended" | "closed"): void {
    super.end(reason, state);
  }
}
