import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome as Exit, mustRun, run } from "../../scripts/run.ts";
import { type Programs, bundle } from "./bundle.ts";
import { type Check, checksIn } from "./check.ts";
import type { Role, Run, Version } from "./run.ts";
import { versions } from "./run.ts";

/** What one start of the suite gave. */
export interface Given {
  readonly exit: Exit;
  /** By scenario. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
}

/** The official suite, and the programs that it is let loose on. */
export class Suite {
  readonly programs: Programs;
  readonly #folder: string;

  private constructor(folder: string, programs: Programs) {
    this.#folder = folder;
    this.programs = programs;
  }

  static async open(): Promise<Suite> {
    const folder = mkdtempSync(join(tmpdir(), "conformance-"));
    return new Suite(folder, await bundle(folder));
  }

  /** Takes away what it has put into the system's folder for temporary files. */
  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** Every scenario of a role, in every version that it is for. */
  async runs(role: Role): Promise<readonly Run[]> {
    const listed = await mustRun(process.execPath, [this.programs.suite, "list", `--${role}`]);
    return [...listed.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm)].flatMap(([, scenario = "", named = ""]) => {
      const all = named.split(",");
      return versions.filter((version) => isRun(role, version, all)).map((version) => ({ role, version, scenario }));
    });
  }

  /** Starts the suite, for at most `timeout` ms. Never rejects. */
  async start(args: readonly string[], version: Version, timeout: number): Promise<Given> {
    const results = mkdtempSync(join(this.#folder, "results-"));
    const versioned = version === "any" ? args : [...args, "--spec-version", version];
    const exit = await run(process.execPath, [this.programs.suite, ...versioned, "-o", results], { timeout });
    return { exit, checks: checksIn(results) };
  }
}

/** In no particular version, a server is put through everything once more; a client through the extensions. */
const isRun = (role: Role, version: Version, named: readonly string[]): boolean =>
  version === "any" ? role === "server" || named.includes("extension") : named.includes(version);
