import type { UrlElicitationRequiredError } from "../errors.ts";
import type { CallToolResult } from "../model/tools.ts";
import { type Issue, describe } from "../schema/schema.ts";
import { errorResult } from "./tool-result.ts";

/** Arguments that the tool's schema doesn't let through. */
export const invalidArguments = (tool: string, issues: readonly Issue[]): CallToolResult =>
  errorResult(`Invalid arguments for tool "${tool}": ${describe(issues)}`);

/** Something has to be opened first, and the client's revision has no error that says so. */
export const toOpen = ({ message, data }: UrlElicitationRequiredError): CallToolResult =>
  errorResult([message, ...data.elicitations.map((each) => `${each.message}: ${each.url}`)].join("\n"));
