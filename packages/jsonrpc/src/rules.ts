import type { Profile } from "./profile.ts";
import type { Report } from "./report.ts";

/** What a connection's two halves have in common. */
export interface Rules {
  readonly profile: Profile;
  readonly report: Report;
}
