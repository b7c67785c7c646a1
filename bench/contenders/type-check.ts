import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Contender, Figure } from "../harness/row.ts";

export const check: Figure = { name: "checking", unit: "ms", better: "less" };
export const beyond: Figure = { name: "beyond the schemas", unit: "ms", better: "less" };

/** What differs from library to library: the lines before the tools, and one tool from its number and its schema. */
export interface Program {
  readonly head: string;
  readonly tool: (i: number, schema: string) => string;
}

const info = `{ name: "office", version: "1.0.0" }`;
const text = (i: number): string => `\`\${args.roomId} \${args.date${i}}\``;

export const ours: Program = {
  head: `import { McpServer } from "@x/mcp/server";\nconst server = new McpServer(${info});`,
  tool: (i, schema) => `server.tool("tool-${i}", { input: ${schema} }, (args) => ${text(i)});`,
};

export const official1: Program = {
  head: `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\nconst server = new McpServer(${info});`,
  tool: (i, schema) =>
    `server.registerTool("tool-${i}", { inputSchema: ${schema}.shape }, (args) => ({ content: [{ type: "text", text: ${text(i)} }] }));`,
};

export const official2: Program = {
  head: `import { McpServer } from "@modelcontextprotocol/server";\nconst server = new McpServer(${info});`,
  tool: (i, schema) =>
    `server.registerTool("tool-${i}", { inputSchema: ${schema} }, (args) => ({ content: [{ type: "text", text: ${text(i)} }] }));`,
};

/** The schemas and functions of their output, without a server. */
export const schemas: Program = {
  head: "export {};",
  tool: (i, schema) =>
    `const schema${i} = ${schema};\n((args: z.output<typeof schema${i}>) => \`\${args.roomId} \${args.date${i}}\`)(schema${i}.parse(0));`,
};

/** A contender whose figures are how long TypeScript checks a program with 100 tools, and what of it is not the schemas'. */
export const typeCheck = (name: string, kind: Contender["kind"], program: Program): Contender => ({
  name,
  kind,
  measure: async () => {
    const [alone, whole] = [await checkTime(write("schemas", schemas)), await checkTime(write(name, program))];
    return { [check.name]: whole, [beyond.name]: whole - alone };
  },
});

const compilerOptions = {
  target: "es2023",
  lib: ["es2023"],
  module: "nodenext",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
};

/** Each schema has a member of its own, so that no type is known from the tool before. */
export function write(name: string, { head, tool }: Program): string {
  const folder = join("dist/types", name.replaceAll(/\W+/g, "-"));
  mkdirSync(folder, { recursive: true });
  const tools = Array.from({ length: 100 }, (_, i) =>
    tool(i, `z.object({ roomId: z.string(), date${i}: z.string() })`),
  );
  writeFileSync(join(folder, "tools.ts"), [`import { z } from "zod";`, head, ...tools, ""].join("\n"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["tools.ts"] }));
  return folder;
}

/** In ms, the shortest of five: so short a time is what it should be or, whenever anything else runs, far more. */
export async function checkTime(folder: string): Promise<number> {
  let shortest = Infinity;
  for (let i = 0; i < 5; i++) shortest = Math.min(shortest, (await diagnose(folder)).time);
  return shortest;
}

/** What tsc says of checking a program. */
export interface Diagnosis {
  /** In ms, on one thread, without reading and parsing what is the same for all. */
  readonly time: number;
  /** How often a generic type was filled in: the same each time, on every machine. */
  readonly instantiations: number;
}

export async function diagnose(folder: string): Promise<Diagnosis> {
  const tsc = "../node_modules/typescript/bin/tsc";
  const options = ["-p", folder, "--singleThreaded", "--extendedDiagnostics"];
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...options]);
  const said = (what: string): number => {
    const value = new RegExp(`^${what}:\\s+([\\d.]+)`, "m").exec(stdout)?.[1];
    if (value === undefined) throw new Error(`tsc says no "${what}":\n${stdout}`);
    return Number(value);
  };
  return { time: said("Check time") * 1000, instantiations: said("Instantiations") };
}
