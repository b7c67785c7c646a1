/** Bytes that any answer of an authorization server fits into. */
const LIMIT = 1024 * 1024;

/** A body as text; undefined where it is longer than 1 MiB. */
export async function textOf({ body }: Response): Promise<string | undefined> {
  if (!body) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    read += value.byteLength;
    if (read > LIMIT) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

export type JsonObject = { readonly [name: string]: unknown };

/** The object in a JSON text; undefined for anything else. */
export function objectIn(text: string | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody needs the body. */
export function drop(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** A member that is a string and not empty. */
export function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The strings of a member that is an array. */
export function stringsIn(object: JsonObject, name: string): readonly string[] | undefined {
  const value = object[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
}
