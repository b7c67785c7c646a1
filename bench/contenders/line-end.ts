import type { Readable, Writable } from "node:stream";
import type { TextEnd } from "./text-pair.ts";

/** The limit for a message a line over streams: one write for all that was sent in a turn. */
export function lineEnd(readable: Readable, writable: Writable): TextEnd {
  let rest = "";
  let due = "";
  const flush = (): void => {
    writable.write(due);
    due = "";
  };
  const end: TextEnd = {
    onText: () => {},
    send: (text) => {
      if (due === "") process.nextTick(flush);
      due += `${text}\n`;
    },
  };
  readable.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) end.onText(line);
  });
  return end;
}
