// What the entry points weigh for a user, minified and gzipped, against the limits in budgets.json.
// A row is a name, a limit in bytes (1 kB = 1000) and the program that a user would write.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

interface Row {
  readonly name: string;
  readonly limit: number;
  readonly code: string | readonly string[];
}

/** Schema libraries are the user's choice and don't count. */
const external = ["ajv", "ajv/*", "arktype", "valibot", "zod"];

const rows: readonly Row[] = JSON.parse(readFileSync("scripts/budgets.json", "utf8"));
let failed = false;
for (const { name, limit, code } of rows) {
  const bytes = await weigh([code].flat().join("\n")).catch((error: Error) => error);
  const over = bytes instanceof Error || bytes > limit;
  failed ||= over;
  const shown = bytes instanceof Error ? "?" : String(bytes);
  console.log(`${over ? "OVER" : "ok  "} ${shown.padStart(7)} of ${String(limit).padStart(6)} bytes  ${name}`);
  if (bytes instanceof Error) console.log(bytes.message);
}
if (failed) process.exit(1);

async function weigh(code: string): Promise<number> {
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
    logLevel: "silent",
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0);
}
