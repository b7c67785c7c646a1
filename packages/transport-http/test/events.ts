/** An event as its lines say it. */
export interface ServerEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data?: string;
  readonly retry?: string;
}

/** The events of an event stream's text, by hand: not with the parser that the package uses. */
export function eventsIn(text: string): ServerEvent[] {
  return text
    .split("\n\n")
    .map((block) => block.split("\n").filter((line) => line !== "" && !line.startsWith(":")))
    .filter((lines) => lines.length > 0)
    .map((lines) => Object.fromEntries(lines.map((line) => line.split(/: ?(.*)/s).slice(0, 2))) as ServerEvent);
}

/** Reads a stream piece by piece. */
export class StreamReader {
  text = "";
  ended = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();

  constructor(response: Response) {
    this.#reader = response.body!.getReader();
    void this.#read();
  }

  get events(): ServerEvent[] {
    return eventsIn(this.text.slice(0, this.text.lastIndexOf("\n\n") + 2));
  }

  /** The messages of the events so far. */
  get messages(): { readonly [name: string]: unknown }[] {
    return this.events.flatMap(({ data }) => (data?.startsWith("{") ? [JSON.parse(data)] : []));
  }

  /** Ends it from this side. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  async #read(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.text += this.#decoder.decode(value, { stream: true });
      }
    } catch {
      // Broken is ended too.
    }
    this.ended = true;
  }
}
