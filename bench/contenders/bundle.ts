import { gzipSync } from "node:zlib";
import { type Plugin, build } from "esbuild";
import { minify } from "terser";
import type { Contender, Figure } from "../harness/row.ts";

export const bytes: Figure = { name: "min+gzip", unit: "bytes", better: "less" };

export const bundleNote =
  "All that the program loads when it starts, libraries included. What is loaded when it is first needed, such as " +
  "ajv for plain JSON Schemas, is not counted, for nobody.";

/** A contender whose figure is what a program weighs. */
export const bundle = (name: string, kind: Contender["kind"], program: string): Contender => ({
  name,
  kind,
  measure: async () => ({ [bytes.name]: await weigh(program) }),
});

async function weigh(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: ".", sourcefile: "program.js" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2023",
    // Ours as modules, which is what bundlers for browsers take; what Node loads is put together and weighs 2 % more.
    conditions: ["@x/source"],
    plugins: [later],
    logLevel: "silent",
  });
  const sizes = await Promise.all(
    outputFiles.map(async ({ text }) => gzipSync(await minified(text), { level: 9 }).byteLength),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Leaves out what is loaded by `import()`. */
const later: Plugin = {
  name: "later",
  setup(bundler) {
    bundler.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** As builds do that care for their size: terser takes another 2 % off. */
async function minified(text: string): Promise<string> {
  const { code } = await minify(text, { module: true, compress: { passes: 3 } });
  if (code === undefined) throw new Error("terser gave no code");
  return code;
}
