export type { AnswerContext, Answers } from "./answers.ts";
export { Client, type RequestOptions, type ToolResult } from "./client.ts";
export { type ConnectOptions, connect } from "./connect.ts";
export { CapabilityError, VersionError } from "./errors.ts";
export type { Agreement } from "./lifecycle.ts";
export type { Page } from "./pages.ts";
export type { Change, Interest, Subscription } from "./subscription.ts";
