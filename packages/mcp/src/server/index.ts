export { McpServer, type McpServerOptions, type ServerConnection } from "./server.ts";
export type { Elicited, McpContext } from "./context.ts";
export type { ClientFacts } from "./client-facts.ts";
export type { ToolHandler, ToolOptions, ToolRegistration, ToolReturn, ToolTypes } from "./tool.ts";
export type { InputOf, OutputOf, Schema } from "../schema/compile.ts";
export type { Issue, JsonSchemaValidator, Outcome, Validate } from "../schema/schema.ts";
export type { StandardSchema } from "../schema/standard.ts";
