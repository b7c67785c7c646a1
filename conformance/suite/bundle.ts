import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, build } from "esbuild";

/** JavaScript that Node starts at once. */
export interface Programs {
  /** The official suite's command line. */
  readonly suite: string;
  readonly client: string;
  readonly server: string;
}

/** CommonJS packages call `require`, which a module doesn't have. */
const REQUIRE = 'import { createRequire as $require } from "node:module"; const require = $require(import.meta.url);';

/**
 * Puts everything that is run into a folder: the suite is started nearly seventy times and starts a client each time,
 * and from one file each starts in a third of the time.
 */
export async function bundle(folder: string): Promise<Programs> {
  const repository = join(import.meta.dirname, "../..");
  const suite = realpathSync(fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js")));
  await build({
    entryPoints: {
      suite,
      client: join(repository, "conformance/client.ts"),
      server: join(repository, "fixtures/mcp-server.ts"),
    },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@x/source"],
    plugins: [globSyncFor(suite)],
    banner: { js: REQUIRE },
    logLevel: "warning",
  });
  const program = (name: string): string => join(folder, `${name}.mjs`);
  return { suite: program("suite"), client: program("client"), server: program("server") };
}

/** The suite imports `globSync`, which Node has since version 22, for a command that is not used here. */
const globSyncFor = (suite: string): Plugin => ({
  name: "globSync",
  setup(building) {
    building.onResolve({ filter: /^fs$/ }, ({ importer }) =>
      importer === suite ? { path: "fs", namespace: "globSync" } : undefined,
    );
    building.onLoad({ filter: /^fs$/, namespace: "globSync" }, () => ({
      contents: 'import fs from "node:fs"; export * from "node:fs"; export default fs; export const { globSync } = fs;',
    }));
  },
});
