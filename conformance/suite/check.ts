import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { filesUnder } from "../../scripts/files.ts";

/** What the suite has found out about one rule. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly description?: string;
  readonly errorMessage?: string;
}

/** The checks that the suite has written into a folder, by scenario. */
export function checksIn(folder: string): ReadonlyMap<string, readonly Check[]> {
  const files = filesUnder(folder).filter((file) => file.endsWith("/checks.json"));
  return new Map(files.map((file) => [scenarioOf(relative(folder, dirname(file))), read(file)]));
}

/** From `server-tools-list-2026-07-28T12-00-00-000Z`; a scenario's own slash makes a folder within a folder. */
const scenarioOf = (folder: string): string => folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "").replace(/^server-/, "");

const read = (file: string): readonly Check[] => JSON.parse(readFileSync(file, "utf8")) as readonly Check[];
