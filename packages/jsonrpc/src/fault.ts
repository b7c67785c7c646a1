import { errorObject } from "./errors.ts";
import { type Failure, type Message, type Response, failure } from "./message.ts";
import { stringify } from "./wire.ts";

/** What is sent instead of a response that can't be serialised: -32603, or the same error without its data. */
export function faultFor(response: Response, fault: unknown): Failure {
  if (!Object.hasOwn(response, "error")) return failure(response.id, errorObject(fault));
  const { code, message } = (response as Failure).error;
  return failure(response.id, { code, message });
}

export function isSerialisable(message: Message): boolean {
  try {
    stringify(message);
    return true;
  } catch {
    return false;
  }
}
