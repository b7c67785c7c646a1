import { parseSync, Visitor } from "oxc-parser";

/** One import, export-from, `import()` or `import("…")` type. `from` is undefined where it isn't a plain string. */
export interface Import {
  readonly from: string | undefined;
  /** Gone after compilation. `import { type A }` is not: verbatimModuleSyntax keeps the import itself. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** Every module that a TypeScript file names, types included. Throws where the file doesn't parse. */
export function importsOf(file: string, source: string): Import[] {
  const { program, comments, errors } = parseSync(file, source);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${file}: ${error.message}`);

  const imports: Import[] = [];
  const add = (from: unknown, typeOnly: boolean, start: number) => {
    const line = source.slice(0, start).split("\n").length;
    imports.push({ from: typeof from === "string" ? from : undefined, typeOnly, line });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source.value, node.importKind === "type", node.start),
    ExportAllDeclaration: (node) => add(node.source.value, node.exportKind === "type", node.start),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) add(node.source.value, node.exportKind === "type", node.start);
    },
    ImportExpression: (node) => add("value" in node.source ? node.source.value : undefined, false, node.start),
    TSImportType: (node) => add(node.source.value, true, node.start),
    TSExternalModuleReference: (node) => add(node.expression.value, false, node.start),
  }).visit(program);

  for (const comment of comments) {
    // A lib of the language itself is no import; lib.dom is.
    const reference = /^\/\s*<reference\s+(?:types|path|lib)\s*=\s*["'](?!es\w+[."'])([^"']+)/.exec(comment.value);
    if (reference !== null) add(reference[1], true, comment.start);
  }
  return imports;
}
