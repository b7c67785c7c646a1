import type { Id, Message, Notification, Request } from "@x/jsonrpc";
import { isFailed, summaryOf } from "./summary.ts";

export interface TranscriptOptions {
  readonly colour: boolean;
  /** Longest line; what is over is cut. */
  readonly width: number;
  /** ms since whenever. */
  readonly now: () => number;
}

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, cyan: 36 } as const;

/** Widths of the columns. Few methods are longer; theirs push the content aside. */
const TIME = 9;
const ID = 10;
const METHOD = 25;

/** Prints a conversation as it goes on: a line for each message with time, direction, id, method and a summary. */
export class Transcript {
  readonly #print: (line: string) => void;
  readonly #options: TranscriptOptions;
  readonly #start: number;
  readonly #requests = new Map<Id | undefined, Request>();
  #messages = 0;

  constructor(print: (line: string) => void, options: TranscriptOptions) {
    this.#print = print;
    this.#options = options;
    this.#start = options.now();
    const columns = `${"ms".padStart(TIME)}     ${"id".padEnd(ID)} ${"method".padEnd(METHOD)} content`;
    print(this.#paint("dim", columns));
  }

  end(): void {
    const seconds = (this.#options.now() - this.#start) / 1000;
    this.heading(`${this.#messages} messages in ${seconds.toFixed(1)} s`);
  }

  heading(text: string): void {
    this.#print("");
    this.#print(this.#paint("bold", text));
  }

  /** Something that happens beside the conversation. */
  note(text: string): void {
    this.#print(this.#paint("dim", `${this.#time()}  ·  ${this.#cut(text, TIME + 5)}`));
  }

  message(direction: "in" | "out", message: Message): void {
    this.#messages++;
    if ("method" in message && "id" in message) this.#requests.set(message.id, message);
    const request = "method" in message ? undefined : this.#requests.get(message.id);
    const method = "method" in message ? message.method : (request?.method ?? "");
    const failed = isFailed(message);
    const place = `${this.#idOf(message)} ${method.padEnd(METHOD)} `;
    const content = this.#cut((failed ? "✗ " : "") + summaryOf(message, request), TIME + 5 + place.length);
    const colour = direction === "out" ? "cyan" : "green";
    const arrow = this.#paint(colour, direction === "out" ? "→" : "←");
    const line = `${this.#paint("dim", this.#time())}  ${arrow}  ${place}${this.#paint(failed ? "red" : colour, content)}`;
    this.#print(line.trimEnd());
  }

  #time(): string {
    return (this.#options.now() - this.#start).toFixed(1).padStart(TIME);
  }

  /** A notification about a request has the request's id in brackets. */
  #idOf(message: Message): string {
    if ("id" in message) return String(message.id).padEnd(ID);
    const about = subjectOf(message);
    return (about === undefined ? "" : `(${String(about)})`).padEnd(ID);
  }

  #cut(text: string, before: number): string {
    const room = this.#options.width - before;
    return text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`;
  }

  #paint(colour: keyof typeof COLOURS, text: string): string {
    return this.#options.colour && text !== "" ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text;
  }
}

function subjectOf({ params }: Notification): unknown {
  const { requestId, progressToken, _meta } = (params ?? {}) as Record<string, unknown>;
  const { "io.modelcontextprotocol/subscriptionId": subscriptionId } = (_meta ?? {}) as Record<string, unknown>;
  return requestId ?? progressToken ?? subscriptionId;
}
