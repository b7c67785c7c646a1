// What the specification wants to be written down, its pages say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** A page as one line. */
const textOf = (page: string): string => readFileSync(`docs/${page}`, "utf8").replaceAll(/\s+/g, " ");

const rows: readonly (readonly [rules: string, page: string, says: RegExp])[] = [
  ["LOG-11 DEPR-02", "mcp/logging.md", /2026-07-28 deprecates this.*`stderr` or OpenTelemetry are the better place/],
  ["ROOT-13 DEPR-02", "mcp/roots.md", /2026-07-28 deprecates roots.*arguments of tools or the server's own settings/],
  ["SAMP-39 DEPR-02", "mcp/sampling.md", /2026-07-28 deprecates sampling.*talk to a model themselves/],
  ["DEPR-03", "mcp/sampling.md", /`includeContext` is deprecated since 2025-11-25/],
  ["DEPR-02", "auth/client.md", /`register`[^|]*\|[^|]*2026-07-28 deprecates this: new clients have a `metadataUrl`/],
  ["SSE-16 DEPR-03", "http/server.md", /That transport is deprecated since 2025-03-26/],
  ["JSCH-03", "mcp/tools.md", /JSON Schema, 2020-12, or draft-07 where `\$schema` says so/],
  ["TASKD-53", "mcp/tasks.md", /to whoever knows its id .*which can't be guessed/],
];

for (const [rules, page, says] of rows) test(`${rules}: ${page} says so`, () => assert.match(textOf(page), says));
