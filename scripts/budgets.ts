// What the entry points weigh for a user, minified and gzipped, against the limits in budgets.json.
// A row is a name, a limit in bytes (1 kB = 1000) and the program that a user would write. What such a program loads
// only when it needs it (an import() in our code) is shown beside it and does not count.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type Plugin, build } from "esbuild";
import { minify } from "terser";

interface Row {
  readonly name: string;
  readonly limit: number;
  readonly code: string | readonly string[];
}

/** Schema libraries are the user's choice and don't count. */
const external = ["ajv", "ajv/*", "arktype", "valibot", "zod"];

/** Leaves out what is loaded on demand. */
const onDemand: Plugin = {
  name: "later",
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

const rows: readonly Row[] = JSON.parse(readFileSync("scripts/budgets.json", "utf8"));
let failed = false;
for (const { name, limit, code } of rows) {
  const size = await weigh([code].flat().join("\n")).catch((error: Error) => error);
  const over = size instanceof Error || size.now > limit;
  failed ||= over;
  const shown = size instanceof Error ? "?" : String(size.now);
  const later = size instanceof Error || size.later === 0 ? "" : ` (and ${size.later} when needed)`;
  console.log(`${over ? "OVER" : "ok  "} ${shown.padStart(7)} of ${String(limit).padStart(6)} bytes  ${name}${later}`);
  if (size instanceof Error) console.log(size.message);
}
if (failed) process.exit(1);

interface Size {
  /** Bytes of what is loaded at the start. */
  readonly now: number;
  /** Bytes of what is loaded on demand. */
  readonly later: number;
}

async function weigh(code: string): Promise<Size> {
  const now = await bundle(code, [onDemand]);
  return { now, later: (await bundle(code, [])) - now };
}

async function bundle(code: string, plugins: Plugin[]): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ".", sourcefile: "program.js" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2023",
    conditions: ["@x/source"],
    external,
    plugins,
    logLevel: "silent",
  });
  const texts = await Promise.all(outputFiles.map(({ text }) => minified(text)));
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).byteLength, 0);
}

/** terser takes what esbuild has minified 2 % further, as do builds that care for their size. */
async function minified(text: string): Promise<string> {
  const { code } = await minify(text, { module: true, compress: { passes: 3 } });
  if (code === undefined) throw new Error("terser gave no code");
  return code;
}
