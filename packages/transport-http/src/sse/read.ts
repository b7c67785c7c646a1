import { type EventSourceMessage, createParser } from "eventsource-parser";

export interface StreamEvents {
  readonly onEvent: (event: EventSourceMessage) => void;
  /** ms after which the server wants to be asked again. */
  readonly onRetry: (retry: number) => void;
}

/**
 * Reads an event stream to its end. Rejects when it breaks, is not UTF-8, or has an event longer than `maxLength`
 * characters; `stop` may end it early.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array> | null,
  maxLength: number,
  { onEvent, onRetry }: StreamEvents,
  stop: () => boolean = () => false,
): Promise<void> {
  if (!body) return;
  let tooLong: Error | undefined;
  const parser = createParser({
    onEvent,
    onRetry,
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") tooLong = error;
    },
    maxBufferSize: maxLength,
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const reader = body.getReader();
  try {
    while (!stop()) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (tooLong) throw tooLong;
    }
  } finally {
    // Whatever is left of it is of no use to anybody.
    reader.cancel().catch(() => {});
  }
}
