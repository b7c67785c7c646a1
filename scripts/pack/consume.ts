import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { mustRun } from "../run.ts";
import type { Consumer } from "./consumers.ts";

/** Tarball paths by package name. */
export type Tarballs = Readonly<Record<string, string>>;

/** Installs, type-checks and runs one consumer in `project`, an empty folder outside the repository; throws why not. */
export async function consume(consumer: Consumer, tarballs: Tarballs, project: string): Promise<void> {
  await install(consumer, tarballs, project);
  copyFileSync(`scripts/pack/${consumer.folder}.ts`, join(project, "program.ts"));
  await typeCheck(consumer, project, { module: "nodenext", outDir: "out" });
  await typeCheck(consumer, project, { module: "esnext", moduleResolution: "bundler", noEmit: true });
  await mustRun(process.execPath, ["out/program.js"], { cwd: project, timeout: 30_000 });
  await requireAll(`@x/${consumer.folder}`, project);
}

/** CommonJS gets at every entry point too (M04), from Node 20.19 on. */
async function requireAll(name: string, project: string): Promise<void> {
  const manifest = readFileSync(join(project, "node_modules", name, "package.json"), "utf8");
  const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> };
  const entries = Object.keys(exports).map((path) => name + path.slice(1));
  const code = entries.map((entry) => `require(${JSON.stringify(entry)});`).join("\n");
  await mustRun(process.execPath, ["-e", code], { cwd: project, timeout: 30_000 });
}

async function install({ folder, brings }: Consumer, tarballs: Tarballs, project: string): Promise<void> {
  const name = `@x/${folder}`;
  const own = Object.entries(tarballs).map(([other, file]) => [other, `file:${file}`]);
  const manifest = {
    private: true,
    type: "module",
    dependencies: { [name]: `file:${tarballs[name]}` },
    // The packages of this repository that it depends on aren't published: they come from their tarballs.
    overrides: Object.fromEntries(own.filter(([other]) => other !== name)),
  };
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  await mustRun("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: project });

  const expected = [name, ...brings].sort().join(", ");
  const actual = packagesIn(join(project, "node_modules")).sort().join(", ");
  if (actual !== expected) throw new Error(`Expected node_modules to hold ${expected}; it holds ${actual}`);
}

/** Names of everything installed below a node_modules folder, at any depth. */
function packagesIn(modules: string): string[] {
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : name,
    );
  return names.flatMap((name) => [name, ...packagesIn(join(modules, name, "node_modules"))]);
}

async function typeCheck({ nodeTypes }: Consumer, project: string, options: object): Promise<void> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: "es2023",
    lib: nodeTypes ? ["es2023"] : ["es2023", "dom"],
    types: nodeTypes ? ["node"] : [],
    typeRoots: [resolve("node_modules/@types")],
    ...options,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  await mustRun(resolve("node_modules/.bin/tsc"), ["-p", "."], { cwd: project });
}
