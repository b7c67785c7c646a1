/** One event that carries a message (WHATWG HTML, "Server-sent events"). `data` is JSON text and has no line break. */
export function eventText(data: string, id?: string): string {
  return id === undefined ? `event: message\ndata: ${data}\n\n` : `event: message\nid: ${id}\ndata: ${data}\n\n`;
}

/** The event that gives a stream's first id and no message, so that a client can come back from the very start. */
export const primingText = (id: string, retry: number): string => `id: ${id}\nretry: ${retry}\ndata: \n\n`;

/** Tells the client after how many ms to come back. */
export const retryText = (retry: number): string => `retry: ${retry}\n\n`;

/** Says nothing, so that nobody on the way takes the stream for dead. */
export const COMMENT = ":\n\n";

/** Headers of an event stream. Proxies must neither store nor gather it, nor wait with it to compress it. */
export const STREAM_HEADERS: { readonly [name: string]: string } = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};
