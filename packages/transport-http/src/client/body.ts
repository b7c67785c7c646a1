/** Reads a body as text. Undefined where it has more than `limit` bytes; what more there is is left alone. */
export async function textWithin(response: Response, limit: number): Promise<string | undefined> {
  const { headers } = response;
  const length = headers.get("content-length");
  // A body that was compressed is longer than its Content-Length.
  if (length !== null && !headers.has("content-encoding")) {
    if (Number(length) <= limit) return await response.text();
    drop(response);
    return undefined;
  }
  const { body } = response;
  if (!body) return "";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    read += value.byteLength;
    if (read > limit) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Bytes of a refusal that are worth reading. */
const REFUSAL = 65_536;

/** What a refusal says, as far as it can be had. */
export async function refusalText(response: Response): Promise<string> {
  try {
    return (await textWithin(response, REFUSAL)) ?? "";
  } catch {
    return "";
  }
}

/** Nobody needs the body. */
export function drop(response: Response): void {
  response.body?.cancel().catch(() => {});
}

export const isEventStream = (response: Response): boolean =>
  /^text\/event-stream\s*(;|$)/i.test(response.headers.get("content-type") ?? "");
