import type { Authorization, Issued } from "./authorization.ts";

/** A way to come by an access token. */
export interface Flow {
  /** Whether a person takes part. Without one, the flow is run again before a token ends. */
  readonly attended: boolean;
  /** Gets tokens; rejects with an AuthError. Called once for however many requests wait for them. */
  run(authorization: Authorization): Promise<Issued>;
}
