export { McpServer, type ServerConnection } from "./server.ts";
export type { McpServerOptions } from "./options.ts";
export type { Complete } from "./complete.ts";
export type { Elicited, McpContext, Visited } from "./context.ts";
export type { ClientFacts } from "./client-facts.ts";
export type { Log } from "./log.ts";
export type {
  PromptArguments,
  PromptHandler,
  PromptOptions,
  PromptRegistration,
  PromptReturn,
} from "./prompt.ts";
export type { Registration } from "./registry.ts";
export type {
  ReadReturn,
  ResourceOptions,
  ResourceReader,
  ResourceRegistration,
  StaticResourceOptions,
  TemplateOptions,
  Watch,
} from "./resource.ts";
export type { ToolHandler, ToolOptions, ToolRegistration, ToolReturn, ToolTypes } from "./tool.ts";
export type { InputOf, OutputOf, Schema } from "../schema/compile.ts";
export type { Issue, JsonSchemaValidator, Outcome, Validate } from "../schema/schema.ts";
export type { StandardSchema } from "../schema/standard.ts";
