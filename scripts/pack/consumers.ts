/** One package as its user meets it: installed alone, with scripts/pack/<folder>.ts as the user's program. */
export interface Consumer {
  /** In packages/, and the name without its scope. */
  readonly folder: string;
  /** Every package that may come along, transitive ones included. */
  readonly brings: readonly string[];
  /** Whether the user needs Node's types; without them the program sees the DOM's. */
  readonly nodeTypes: boolean;
}

export const consumers: readonly Consumer[] = [
  { folder: "jsonrpc", brings: [], nodeTypes: false },
  {
    folder: "mcp",
    brings: ["@x/jsonrpc", "ajv", "fast-deep-equal", "fast-uri", "json-schema-traverse", "require-from-string"],
    nodeTypes: false,
  },
  { folder: "mcp-auth", brings: ["jose", "oauth4webapi"], nodeTypes: false },
  { folder: "transport-http", brings: ["@x/jsonrpc", "eventsource-parser"], nodeTypes: false },
  {
    folder: "transport-stdio",
    brings: ["@x/jsonrpc", "cross-spawn", "isexe", "path-key", "shebang-command", "shebang-regex", "which"],
    nodeTypes: false,
  },
];
