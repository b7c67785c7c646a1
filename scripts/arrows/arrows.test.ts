import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { arrowProblems } from "./check.ts";

const clean = {
  "packages/jsonrpc/package.json": "{}",
  "packages/jsonrpc/src/index.ts": `export { peer } from "./peer.ts"`,
  "packages/jsonrpc/src/peer.ts": `export const peer = 1`,
  "packages/mcp/package.json": `{ "dependencies": { "@x/jsonrpc": "workspace:^", "ajv": "^8" } }`,
  "packages/mcp/src/index.ts": `import { peer } from "@x/jsonrpc"\nexport const ajv = () => import("ajv/dist/2020.js")`,
  "packages/transport-stdio/package.json": `{ "dependencies": { "@x/jsonrpc": "workspace:^", "cross-spawn": "^7" } }`,
  "packages/transport-stdio/src/index.ts": `import "node:fs"\nimport type { Peer } from "@x/jsonrpc/framing"`,
};

interface Row {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly problem: RegExp;
}

const rows: Row[] = [
  {
    name: "an import of @x/mcp in jsonrpc",
    files: { "packages/jsonrpc/src/peer.ts": `import { server } from "@x/mcp"` },
    problem: /jsonrpc\/src\/peer\.ts:1: an import of @x\/mcp goes against the arrows/,
  },
  {
    name: "a type-only import of @x/mcp in jsonrpc",
    files: { "packages/jsonrpc/src/peer.ts": `\nexport type A = import("@x/mcp/server").Server` },
    problem: /peer\.ts:2: an import of @x\/mcp\/server goes against the arrows/,
  },
  {
    name: "a relative import of another package",
    files: { "packages/jsonrpc/src/peer.ts": `export * from "../../mcp/src/index.ts"` },
    problem: /leaves the package's src/,
  },
  {
    name: "an import of node:fs in jsonrpc",
    files: { "packages/jsonrpc/src/peer.ts": `import { readFile } from "node:fs"` },
    problem: /node:fs is only for packages that need Node/,
  },
  {
    name: "a dynamic import of node:fs in jsonrpc",
    files: { "packages/jsonrpc/src/peer.ts": `export const fs = () => import("node:fs")` },
    problem: /node:fs is only for packages that need Node/,
  },
  {
    name: "an import of fs without its prefix",
    files: { "packages/jsonrpc/src/peer.ts": `import { readFile } from "fs"` },
    problem: /an import of fs goes against the arrows/,
  },
  {
    name: "a reference to Node's types in jsonrpc",
    files: { "packages/jsonrpc/src/peer.ts": `/// <reference types="node" />` },
    problem: /an import of node goes against the arrows/,
  },
  {
    name: "a reference to the DOM in jsonrpc",
    files: { "packages/jsonrpc/src/peer.ts": `/// <reference lib="dom" />` },
    problem: /an import of dom goes against the arrows/,
  },
  {
    name: "a dynamic import of a computed name",
    files: { "packages/jsonrpc/src/peer.ts": `const name = "node:fs"\nexport const fs = () => import(name)` },
    problem: /peer\.ts:2: .* no plain string/,
  },
  {
    name: "an import of a transport in mcp",
    files: { "packages/mcp/src/index.ts": `import { serveStdio } from "@x/transport-stdio"` },
    problem: /an import of @x\/transport-stdio goes against the arrows/,
  },
  {
    name: "an import of @x/mcp in a transport",
    files: { "packages/transport-stdio/src/index.ts": `import type { Server } from "@x/mcp"` },
    problem: /an import of @x\/mcp goes against the arrows/,
  },
  {
    name: "a cycle",
    files: {
      "packages/jsonrpc/src/peer.ts": `import "./calls.ts"`,
      "packages/jsonrpc/src/calls.ts": `import "./peer.ts"`,
    },
    problem: /^import cycle: packages\/jsonrpc\/src\/calls\.ts → packages\/jsonrpc\/src\/peer\.ts → .*calls\.ts$/m,
  },
  {
    name: "a type-only cycle",
    files: {
      "packages/jsonrpc/src/peer.ts": `import type { Calls } from "./calls.ts"`,
      "packages/jsonrpc/src/calls.ts": `export type Peer = import("./peer.ts").Peer`,
    },
    problem: /^import cycle: /m,
  },
  {
    name: "a new dependency of jsonrpc",
    files: { "packages/jsonrpc/package.json": `{ "dependencies": { "ajv": "^8" } }` },
    problem: /jsonrpc\/package\.json: ajv in dependencies is not in scripts\/arrows\/rules\.ts/,
  },
  {
    name: "an optional peer dependency of jsonrpc",
    files: { "packages/jsonrpc/package.json": `{ "peerDependencies": { "zod": "^4" } }` },
    problem: /zod in peerDependencies/,
  },
  {
    name: "a new dependency of another package",
    files: {
      "packages/mcp/package.json": `{ "dependencies": { "@x/jsonrpc": "workspace:^", "ajv": "^8", "zod": "^4" } }`,
    },
    problem: /mcp\/package\.json: zod in dependencies/,
  },
  {
    name: "a package without a rule",
    files: { "packages/other/package.json": "{}" },
    problem: /packages\/other has no row/,
  },
];

test("imports along the arrows are fine", () => {
  assert.deepEqual(problemsOf({}), []);
});

for (const { name, files, problem } of rows) {
  test(`${name} is red`, () => {
    assert.match(problemsOf(files).join("\n"), problem);
  });
}

function problemsOf(changes: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), "arrows-"));
  try {
    for (const [path, text] of Object.entries({ ...clean, ...changes })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return arrowProblems(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
