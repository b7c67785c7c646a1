// The reader that anyone would write who has heard that repeated concatenation is quadratic: chunks are gathered, and
// joined once when the line has ended.
import { lengthTool } from "../contenders/length-tool.ts";

const LF = 10;
let parts: Buffer[] = [];

process.stdin.on("data", (chunk: Buffer) => {
  let start = 0;
  for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
    parts.push(chunk.subarray(start, end));
    answer(Buffer.concat(parts).toString("utf8"));
    parts = [];
    start = end + 1;
  }
  if (start < chunk.length) parts.push(chunk.subarray(start));
});

function answer(line: string): void {
  const { id, params } = JSON.parse(line) as { id?: number | string; params?: { arguments?: { text: string } } };
  if (id === undefined) return;
  const text = lengthTool.answer(params?.arguments ?? { text: "" });
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } })}\n`);
}
