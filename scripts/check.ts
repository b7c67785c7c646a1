// Every check, two at a time, each with its output in one piece: `pnpm check [name…]`
import { availableParallelism } from "node:os";
import { run } from "./run.ts";

/** These come first and alone, because they build what the others look at; then the slowest first. */
const builders = ["types", "package"];
const rest = ["pack", "budgets", "compiler", "knip", "lint", "format", "arrows"];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => ![...builders, ...rest].includes(name));
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(", ")}. There are ${[...builders, ...rest].join(", ")}.`);
  process.exit(1);
}

const failed: string[] = [];
const started = performance.now();
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
await check("types");
// A tarball has what the build of `package` makes.
if (isWanted("package") || isWanted("pack")) await check("package");
const queue = rest.filter(isWanted);
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));

const total = since(started);
if (failed.length > 0) {
  console.log(`\nFailed in ${total}: ${failed.join(", ")}. Run one alone with pnpm check:NAME.`);
  process.exit(1);
}
console.log(`\nAll checks passed in ${total}.`);

async function work(): Promise<void> {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) await check(name);
}

async function check(name: string): Promise<void> {
  const start = performance.now();
  const { ok, output } = await run("pnpm", ["run", `check:${name}`]);
  console.log(`${ok ? "ok  " : "FAIL"} ${name} (${since(start)})`);
  if (ok) return;
  failed.push(name);
  console.log(output.replace(/^/gm, "     "));
}

function since(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
