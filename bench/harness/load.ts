import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Row } from "./row.ts";

/** A row of the built benchmark. */
export async function loadRow(folder: string, name: string): Promise<Row> {
  const { href } = pathToFileURL(join(folder, "dist/rows", `${name}.js`));
  return ((await import(href)) as { default: Row }).default;
}
