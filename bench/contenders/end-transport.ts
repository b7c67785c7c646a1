import { type Receive, type Transport, parse, stringify } from "@x/jsonrpc";
import type { TextEnd } from "./text-pair.ts";

/** Our transport over the end of a text pair. */
export class EndTransport implements Transport {
  readonly #end: TextEnd;
  #ended!: () => void;

  constructor(end: TextEnd) {
    this.#end = end;
  }

  open(receive: Receive): Promise<void> {
    this.#end.onText = (text) => receive(parse(text));
    return new Promise((resolve) => (this.#ended = resolve));
  }

  send(message: Parameters<Transport["send"]>[0]): void {
    this.#end.send(stringify(message));
  }

  close(): void {
    this.#ended();
  }
}
