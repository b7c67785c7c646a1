import { gzipSync } from "node:zlib";
import { build } from "esbuild";
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
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: ".", sourcefile: "program.js" },
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "silent",
  });
  const contents = new Map(outputFiles.map(({ path, contents: file }) => [path, file]));
  const loaded = loadedAtStart(metafile.outputs).map((path) => contents.get(`${process.cwd()}/${path}`));
  return gzipSync(Buffer.concat(loaded.filter((file) => file !== undefined)), { level: 9 }).byteLength;
}

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** The entry and whatever it imports, except by `import()`. */
function loadedAtStart(outputs: { readonly [path: string]: Output }): string[] {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "program.js");
  const loaded = new Set<string>(entry === undefined ? [] : [entry]);
  for (const path of loaded)
    for (const { path: next, kind, external } of outputs[path]?.imports ?? [])
      if (kind !== "dynamic-import" && !external) loaded.add(next);
  if (loaded.size === 0) throw new Error("esbuild gave no entry");
  return [...loaded];
}
