import type { StandardIssue } from "./standard-schema.ts";

/** Why and where (as JSON Pointer, RFC 6901; empty for the whole) a value doesn't fit its schema. */
export interface ValidationIssue {
  readonly path: string;
  readonly message: string;
}

/** A value that may be wrong in a million places is told about this many. */
const MOST = 20;

/**
 * Parameters or a result that don't fit their schema. Local: rejects the call whose parameters or whose answer were
 * wrong, or goes to `onError` for a result of one's own.
 */
export class ValidationError extends Error {
  override name = "ValidationError";
  readonly method: string;
  readonly subject: "params" | "result";
  readonly issues: readonly ValidationIssue[];

  constructor(method: string, subject: "params" | "result", issues: readonly StandardIssue[]) {
    const told = issues.slice(0, MOST).map(({ path = [], message }) => ({ path: path.map(pointer).join(""), message }));
    const text = told.map(({ path, message }) => (path ? `${message} (at ${path})` : message)).join("; ");
    super(`Invalid ${subject} of "${method}": ${text}`);
    this.method = method;
    this.subject = subject;
    this.issues = told;
  }
}

function pointer(part: PropertyKey | { readonly key: PropertyKey }): string {
  const key = String(typeof part === "object" ? part.key : part);
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
