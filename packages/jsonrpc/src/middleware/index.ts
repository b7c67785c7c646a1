export { type LimitOptions, limit } from "./limit.ts";
export { type RetryOptions, retry } from "./retry.ts";
export { timeLimit } from "./time-limit.ts";
