// `bundle.ts [package folder…]`, this one by default: makes of each entry in a package's exports one file, and one of each
// part that entries share or that is loaded later. Node loads these, since a process that loads a hundred small files
// instead starts 20 ms later; bundlers for browsers take what tsc makes, and leave out what they don't need.
import { readFileSync, rmSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { type ExistingRawSourceMap, type Plugin, rollup } from "rollup";

interface Manifest {
  readonly exports: { readonly [entry: string]: { readonly default: string } };
}

/** What tsc has made, with its source maps: those of the bundle lead to the sources. */
const compiled: Plugin = {
  name: "compiled",
  load(id) {
    const code = readFileSync(id, "utf8");
    const map = JSON.parse(readFileSync(`${id}.map`, "utf8")) as ExistingRawSourceMap;
    return { code, map };
  },
};

const given = process.argv.slice(2);
for (const folder of given.length > 0 ? given : ["."]) {
  rmSync(join(folder, "bundle"), { recursive: true, force: true });
  const dist = resolve(folder, "dist");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const files = Object.values(exports).map((entry) => resolve(folder, entry.default));
  const bundle = await rollup({
    // Of a late part rollup knows what has been loaded before it: a stdio server starts with 19 files, of esbuild with 26.
    input: Object.fromEntries(files.map((file) => [relative(dist, file).replace(/\.js$/, ""), file])),
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    plugins: [compiled],
  });
  await bundle.write({
    dir: join(folder, "bundle"),
    chunkFileNames: "parts/[name]-[hash].js",
    hoistTransitiveImports: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
}
