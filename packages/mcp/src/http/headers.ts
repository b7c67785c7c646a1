/** Names of the headers that MCP gives a meaning, in lower case (basic/transports/streamable-http). */
export const SESSION_HEADER = "mcp-session-id";
export const VERSION_HEADER = "mcp-protocol-version";
export const METHOD_HEADER = "mcp-method";
export const NAME_HEADER = "mcp-name";

/** Before the name that a tool's `x-mcp-header` gives. */
export const PARAM_PREFIX = "mcp-param-";
