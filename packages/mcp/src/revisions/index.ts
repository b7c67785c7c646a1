import { revision20241105 } from "./2024-11-05.ts";
import { revision20250326 } from "./2025-03-26.ts";
import { revision20250618 } from "./2025-06-18.ts";
import { revision20251125 } from "./2025-11-25.ts";
import { revision20260728 } from "./2026-07-28.ts";
import type { LifecycleName, Revision } from "./revision.ts";

export type { LifecycleName, Revision } from "./revision.ts";

/**
 * Every revision that is spoken here, newest first. A new one is a file and a row; where its shapes differ, a step in
 * down.ts, and where HTTP carries it otherwise, a row in http/facts.ts.
 */
export const revisions: readonly Revision[] = [
  revision20260728,
  revision20251125,
  revision20250618,
  revision20250326,
  revision20241105,
];

/** Those without a handshake, newest first: what a server needs until a client of an older one comes. */
export const withoutHandshake: readonly Revision[] = [revision20260728];

/** The revisions of one lifecycle among those given, newest first. */
export const revisionsOf = (lifecycle: LifecycleName, among: readonly Revision[]): readonly Revision[] =>
  among.filter((revision) => revision.lifecycle === lifecycle);
