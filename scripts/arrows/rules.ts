/** What one package may depend on. Adding a runtime dependency means adding it here, on purpose. */
export interface Rule {
  /** The exact runtime dependencies, which are also all that the sources may import from outside. */
  readonly dependencies: readonly string[];
  /** Whether `node:` modules may be imported. */
  readonly node: boolean;
  /** Modules that may be imported for their types alone. */
  readonly types?: readonly string[];
}

/** A row a folder of packages/. Transports know nothing of MCP, and MCP knows no transport. */
export const rules: Readonly<Record<string, Rule>> = {
  jsonrpc: { dependencies: [], node: false },
  mcp: { dependencies: ["@x/jsonrpc", "ajv"], node: false },
  // Authorization is a fetch and a hook: it needs neither MCP nor a transport.
  "mcp-auth": { dependencies: ["jose", "oauth4webapi"], node: true },
  "transport-http": {
    dependencies: ["@x/jsonrpc", "eventsource-parser"],
    node: true,
    types: ["@x/mcp/http"],
  },
  "transport-stdio": { dependencies: ["@x/jsonrpc", "cross-spawn"], node: true },
};
