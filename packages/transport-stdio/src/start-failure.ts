import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Where a program is started. */
export interface Surroundings {
  readonly env: Record<string, string>;
  readonly cwd: string | undefined;
}

/** Why a program could not be started, and what to do about it. The system reports a missing folder like a missing file. */
export function startFailure(program: string, { cwd, env }: Surroundings, cause: unknown): string {
  const { code, message } = cause as { code?: string; message: string };
  if (cwd !== undefined && !existsSync(cwd)) return `its folder ${cwd} does not exist`;
  if (code === "EACCES") return `${program} may not be executed; allow it (chmod +x) or start it with its interpreter`;
  if (code !== "ENOENT") return message;
  if (/\s/.test(program)) return `there is no program "${program}"; arguments go into a list of their own`;
  if (/[\\/]/.test(program))
    return existsSync(resolve(cwd ?? "", program))
      ? `the interpreter that ${program} names in its first line does not exist (does that line end with \\r?)`
      : `there is no file ${program}`;
  return `${program} is not installed, or in none of the folders of its PATH (${env["PATH"] ?? "which is not set"})`;
}
