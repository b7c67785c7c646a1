import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";

for (const entry of ["index.ts", "server/index.ts"])
  test(`${entry} runs anywhere: nothing of Node is in it`, async () => {
    const { metafile } = await build({
      entryPoints: [new URL(`../src/${entry}`, import.meta.url).pathname],
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "browser",
    });
    const imports = Object.values(metafile.inputs).flatMap(({ imports: all }) =>
      all.filter(({ external }) => external),
    );
    assert.deepEqual(imports, []);
    assert.ok(!Object.keys(metafile.inputs).some((input) => input.includes("/src/node/")));
  });
