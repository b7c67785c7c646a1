import type { Batch, Message } from "@x/jsonrpc";

/** How many requests are in what is sent. */
export const requestsIn = (message: Message | Batch): number =>
  count(message, (each) => "method" in each && "id" in each);

/** How many responses are in what is sent or has arrived, whatever it is. */
export const answersIn = (message: unknown): number => count(message, (each) => !("method" in Object(each)));

function count<T>(messages: T | readonly T[], is: (message: T) => boolean): number {
  return Array.isArray(messages) ? messages.filter(is).length : Number(is(messages as T));
}
