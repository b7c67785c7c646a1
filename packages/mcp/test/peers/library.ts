import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

/** How a client that starts programs starts the library. */
export const library = {
  command: process.execPath,
  args: [...process.execArgv, fileURLToPath(new URL("library-server.ts", import.meta.url))],
};

type Fields = { readonly [name: string]: unknown };
type Ask = (params: never) => Promise<Fields>;

/** What both generations of the official client have. */
export interface Reader {
  listResources: Ask;
  listResourceTemplates: Ask;
  readResource: Ask;
  listPrompts: Ask;
  getPrompt: Ask;
  complete: Ask;
}

const part = (result: Fields, ...names: string[]): Fields =>
  Object.fromEntries(names.filter((name) => name in result).map((name) => [name, result[name]]));

/** Lists, reads, gets and completes everything. `missing` is the code of a resource that isn't there, `_meta` goes with prompts. */
export async function visit(reader: Reader, missing: number, _meta: Fields = {}): Promise<void> {
  const ask = (method: keyof Reader, params: Fields): Promise<Fields> => reader[method](params as never);

  const uris: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await ask("listResources", cursor === undefined ? {} : { cursor });
    uris.push(...(page["resources"] as { uri: string }[]).map(({ uri }) => uri));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  // The second generation collects all pages itself.
  assert.deepEqual([...new Set(uris)], ["library://rules", "library://stamp", "library://clock"]);
  assert.deepEqual((await ask("listResourceTemplates", {}))["resourceTemplates"], [
    { uriTemplate: "library://books/{isbn}{?page}", name: "library://books/{isbn}{?page}" },
  ]);

  const read = async (uri: string): Promise<unknown> => (await ask("readResource", { uri }))["contents"];
  assert.deepEqual(await read("library://rules"), [
    { uri: "library://rules", mimeType: "text/plain", text: "Be quiet" },
  ]);
  assert.deepEqual(await read("library://stamp"), [{ uri: "library://stamp", mimeType: "image/png", blob: "AP+A" }]);
  const uri = "library://books/978-1?page=7";
  assert.deepEqual(await read(uri), [{ uri, text: "978-1, page 7" }]);
  await assert.rejects(read("library://books/1"), { code: missing, data: { uri: "library://books/1" } });

  assert.deepEqual((await ask("listPrompts", {}))["prompts"], [
    { name: "recommend", arguments: [{ name: "genre", required: true }, { name: "author" }] },
  ]);
  const { messages } = await ask("getPrompt", { name: "recommend", arguments: { genre: "crime" }, _meta });
  assert.deepEqual(messages, [{ role: "user", content: { type: "text", text: "Recommend something of crime" } }]);
  await assert.rejects(ask("getPrompt", { name: "recommend" }), { code: -32602 });

  const completed = async (ref: Fields, argument: Fields, context?: Fields): Promise<unknown> =>
    part((await ask("complete", { ref, argument, ...(context && { context }) }))["completion"] as Fields, "values");
  const template = { type: "ref/resource", uri: "library://books/{isbn}{?page}" };
  assert.deepEqual(await completed(template, { name: "isbn", value: "978" }), { values: ["978-1", "978-2"] });
  const prompt = { type: "ref/prompt", name: "recommend" };
  const context = { arguments: { genre: "crime" } };
  assert.deepEqual(await completed(prompt, { name: "author", value: "a" }, context), { values: ["a/crime"] });
}
