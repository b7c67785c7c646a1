import type { Readable, Writable } from "node:stream";
import type { TextEnd } from "./text-pair.ts";

/** The limit for Content-Length headers over streams: ASCII alone, and one write for all that a chunk has led to. */
export function headerEnd(readable: Readable, writable: Writable): TextEnd {
  let rest = "";
  let due = "";
  const flush = (): void => {
    writable.write(due, "latin1");
    due = "";
  };
  const end: TextEnd = {
    onText: () => {},
    send: (text) => {
      if (due === "") process.nextTick(flush);
      due += `Content-Length: ${text.length}\r\n\r\n${text}`;
    },
  };
  readable.setEncoding("latin1").on("data", (chunk: string) => {
    const text = rest + chunk;
    let at = 0;
    for (let body = text.indexOf("\r\n\r\n"); body !== -1; body = text.indexOf("\r\n\r\n", at)) {
      const start = body + 4;
      const length = Number(text.slice(at + "Content-Length: ".length, body));
      if (start + length > text.length) break;
      at = start + length;
      end.onText(text.slice(start, at));
    }
    rest = text.slice(at);
  });
  return end;
}
