import { errorObject } from "./errors.ts";
import { type Failure, type Message, type Response, type Success, failure } from "./message.ts";
import type { Report } from "./report.ts";

export type Answers = Response | readonly Response[];

interface Carrier<T> {
  send(answers: Answers): T;
}

/**
 * Sends answers by `carrier`. What it can't serialise becomes -32603 under the same id, so that its caller doesn't wait
 * for ever; where that can't be sent either, the connection is to blame.
 */
export function sendAnswers<T>(answers: Answers, carrier: Carrier<T>, report: Report): T | undefined {
  try {
    return carrier.send(answers);
  } catch (fault) {
    // The same error without its data, or that there is no result.
    const mend = (response: Response): Response => {
      const { code, message } = (response as Failure).error ?? errorObject(fault);
      return failure(response.id, { code, message });
    };
    try {
      const sent = carrier.send(Array.isArray(answers) ? mended<Response>(answers, mend) : mend(answers as Response));
      report(fault, "handler");
      return sent;
    } catch {
      report(fault, "transport");
      return undefined;
    }
  }
}

/**
 * A batch that could not be sent, with something else in place of the members at fault, or without them. All of them
 * are at fault where the transport is pickier than JSON.
 */
export function mended<T extends Message>(messages: readonly T[], mend: (message: T) => T | void): T[] {
  const sound = new Set(messages.filter(isSerialisable));
  return messages.flatMap((each) => (sound.size < messages.length && sound.has(each) ? each : (mend(each) ?? [])));
}

/** Whether JSON can carry a message. A result that JSON.stringify leaves out counts as one that it can't carry. */
function isSerialisable(message: Message): boolean {
  try {
    return JSON.stringify((message as Success).result ?? message) !== undefined;
  } catch {
    return false;
  }
}
