// One node:test run over every test file of the repository: `pnpm test [part of a path]…`
//
// `node --test` on Node 20 takes no glob and reports success for a folder in which it finds nothing, and
// its --test-concurrency is missing before 20.10; run() has neither gap.
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { filesUnder, foldersIn } from "./files.ts";

/** In ms. A file that takes this long hangs: it is ended and counts as failed. Those of conformance start many programs. */
const fileTimeout = 240_000;

const folders = [
  ...foldersIn("packages").map((folder) => `${folder}/test`),
  ...foldersIn("examples"),
  "bench",
  "conformance",
  "docs",
  "fixtures",
  "scripts",
];
const filters = process.argv.slice(2).filter((argument) => argument !== "--");
const files = folders
  .flatMap(filesUnder)
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => filters.length === 0 || filters.some((filter) => matches(file, filter)));

if (files.length === 0) {
  console.error(filters.length === 0 ? "No test files." : `No test file matches ${filters.join(" or ")}.`);
  process.exit(1);
}

const emptyFiles: string[] = [];
const counts = new Map<string, number>();
const events = run({ files, concurrency: 2, timeout: fileTimeout });
events.on("test:fail", () => {
  process.exitCode = 1;
});
events.on("test:pass", ({ name }) => {
  // Node reports a file in which no test was registered as one passed test with the file's name.
  if (files.includes(name)) emptyFiles.push(name);
});
events.on("test:diagnostic", ({ nesting, message }) => {
  const [name = "", count] = message.split(" ");
  if (nesting === 0 && count !== undefined) counts.set(name, Number(count));
});
events.on("end", () => setImmediate(summarize));
events.compose(new spec()).pipe(process.stdout);

/** `jsonrpc/framing` finds packages/jsonrpc/test/framing.test.ts: the folder `test` needn't be typed. */
function matches(file: string, filter: string): boolean {
  return file.includes(filter) || file.replace("/test/", "/").includes(filter);
}

function summarize(): void {
  for (const file of emptyFiles) console.error(`${file} holds no test.`);
  const [passed = 0, failed = 0, cancelled = 0, skipped = 0] = ["pass", "fail", "cancelled", "skipped"].map((name) =>
    counts.get(name),
  );
  const ran = passed - emptyFiles.length;
  const broken = failed + cancelled + emptyFiles.length;
  if (ran + broken === 0) console.error("No test ran.");
  if (ran + broken === 0 || broken > 0) process.exitCode = 1;
  console.log(`\n${ran} passed, ${broken} failed, ${skipped} skipped`);
}
