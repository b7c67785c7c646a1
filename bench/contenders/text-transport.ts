import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type TextEnd, textPair } from "./text-pair.ts";

/** The transport that the official SDKs expect, of both generations, here as text in memory. */
export class TextTransport implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  readonly #end: TextEnd;

  constructor(end: TextEnd) {
    this.#end = end;
  }

  async start(): Promise<void> {
    this.#end.onText = (text) => this.onmessage?.(JSON.parse(text));
  }

  async send(message: unknown): Promise<void> {
    this.#end.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

export const textTransports = (): [TextTransport, TextTransport] => {
  const [a, b] = textPair();
  return [new TextTransport(a), new TextTransport(b)];
};
