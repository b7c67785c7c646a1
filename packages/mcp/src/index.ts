export {
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  MissingClientCapabilityError,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_PROTOCOL_VERSION,
  URL_ELICITATION_REQUIRED,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
} from "./errors.ts";
export { type LifecycleName, type Revision, revisions } from "./revisions/index.ts";
export {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  type Meta,
  PROTOCOL_VERSION,
  SERVER_INFO,
  SUBSCRIPTION_ID,
} from "./model/meta.ts";
export type { ClientCapabilities, ServerCapabilities } from "./model/capabilities.ts";
export type { CacheHints } from "./model/caching.ts";
export type { Completion } from "./model/completion.ts";
export type * from "./model/content.ts";
export type { Icon, Implementation } from "./model/implementation.ts";
export type { JsonObject, JsonSchema } from "./model/json.ts";
export { titleOf } from "./title.ts";
export type { LogLevel, LogMessage } from "./model/logging.ts";
export type * from "./model/prompts.ts";
export type { Progress } from "./model/progress.ts";
export type { CallToolResult, Tool, ToolAnnotations } from "./model/tools.ts";
export type {
  ElicitAction,
  ElicitContent,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitUrlParams,
} from "./model/elicitation.ts";
export type * from "./model/resources.ts";
export type { Root } from "./model/roots.ts";
export type * from "./model/sampling.ts";
export type { DetailedTask, InputRequests, Task, TaskStatus } from "./model/tasks.ts";
