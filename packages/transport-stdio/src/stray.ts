import { Invalid, parse } from "@x/jsonrpc";
import type { Frame } from "@x/jsonrpc/framing";

/** Characters of a stray line that its report shows. */
const EXCERPT = 100;

/**
 * Parses what a program has written to its stdout. What is no message there is a banner or a log line: it is reported,
 * and not answered, since an answer that nobody asked for confuses more servers than it helps.
 */
export function parseOutput(frame: Frame): unknown {
  const message = typeof frame === "string" ? parse(frame) : frame;
  if (!(message instanceof Invalid) || !message.answer) return message;
  // A log record may have an id of its own, which is none of a call's.
  const isRecord = typeof frame === "string" && message.meant === "unknown" && !frame.includes('"jsonrpc"');
  if (message.id !== null && !isRecord) return message;
  if (typeof frame !== "string") return unanswered(message.error.code, message.error.message);
  const excerpt = frame.length > EXCERPT ? `${frame.slice(0, EXCERPT)}…` : frame;
  return unanswered(message.error.code, `Not a JSON-RPC message on the command's stdout: ${excerpt}`);
}

/** Taken for a broken response, since nobody answers those. */
const unanswered = (code: number, text: string): Invalid => new Invalid(text, { code, meant: "response" });
