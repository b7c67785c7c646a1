// What registering 100 tools costs the compiler, against the official SDK: `pnpm check:compiler`. It is counted and not
// timed, so that it is the same everywhere: how often generic types are filled in. Needs a build.
import { diagnose, official2, ours, schemas, write } from "./contenders/type-check.ts";

/** At most this part of the official SDK's count, in all and beyond what zod's own types cost. */
const LIMITS = { all: 0.4, beyond: 0.1 };

process.chdir(import.meta.dirname);
const counted = async (name: string, program: typeof ours): Promise<number> =>
  (await diagnose(write(name, program))).instantiations;
const [zod, here, there] = [
  await counted("schemas", schemas),
  await counted("ours", ours),
  await counted("official 2.x", official2),
];
limit("all", here, there);
limit("beyond", here - zod, there - zod);

function limit(what: keyof typeof LIMITS, mine: number, theirs: number): void {
  const over = mine > theirs * LIMITS[what];
  if (over) process.exitCode = 1;
  console.log(`${over ? "OVER" : "ok  "} ${what}: ${mine} instantiations, ${(mine / theirs).toFixed(3)} of ${theirs}`);
}
