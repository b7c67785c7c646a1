import type { Check } from "./check.ts";

export type Role = "server" | "client";

/** The versions of the protocol that scenarios are run in, and "any": each scenario in its own, extensions included. */
export const versions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "any"] as const;
export type Version = (typeof versions)[number];

/** One scenario in one version. */
export interface Run {
  readonly role: Role;
  readonly version: Version;
  readonly scenario: string;
}

/** A run that is over. */
export interface Outcome extends Run {
  readonly checks: readonly Check[];
  /** What went wrong besides the checks. */
  readonly faults: readonly string[];
}

export const nameOf = ({ role, version, scenario }: Run): string => `${role} ${version} ${scenario}`;
