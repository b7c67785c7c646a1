import { errorObject } from "./errors.ts";
import { type Failure, type Message, type Response, type Success, failure } from "./message.ts";
import type { Report } from "./report.ts";

export type Answers = Response | readonly Response[];

/**
 * Hands answers to `send`. What it can't serialise becomes -32603 under the same id, so that its caller doesn't wait
 * for ever; where that can't be sent either, the connection is to blame.
 */
export function sendAnswers<T>(answers: Answers, send: (answers: Answers) => T, report: Report): T | undefined {
  try {
    return send(answers);
  } catch (fault) {
    try {
      const sent = send(Array.isArray(answers) ? mended(answers, fault) : faultFor(answers as Response, fault));
      report(fault, "handler");
      return sent;
    } catch {
      report(fault, "transport");
      return undefined;
    }
  }
}

/** Only the members that are at fault change; all of them where the transport is pickier than JSON. */
function mended(responses: readonly Response[], fault: unknown): readonly Response[] {
  const sound = new Set(responses.filter(isSerialisable));
  return responses.map((response) =>
    sound.size < responses.length && sound.has(response) ? response : faultFor(response, fault),
  );
}

function faultFor(response: Response, fault: unknown): Failure {
  if (!Object.hasOwn(response, "error")) return failure(response.id, errorObject(fault));
  const { code, message } = (response as Failure).error;
  return failure(response.id, { code, message });
}

/** Whether JSON can carry a message. A result that JSON.stringify leaves out counts as one that it can't carry. */
export function isSerialisable(message: Message): boolean {
  try {
    return JSON.stringify(Object.hasOwn(message, "result") ? (message as Success).result : message) !== undefined;
  } catch {
    return false;
  }
}
