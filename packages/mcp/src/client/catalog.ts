import type { JsonSchema } from "../model/json.ts";
import type { Tool } from "../model/tools.ts";

/** What calls of a tool depend on. */
interface Known {
  readonly output: JsonSchema | undefined;
  /** "forbidden" unless the server says otherwise. */
  readonly task: "forbidden" | "optional" | "required";
}

/** What a server says of its tools. It is listed when something has to be known that nobody has listed. */
export class Catalog {
  readonly #list: (fresh: boolean) => AsyncIterable<Tool>;
  #tools = new Map<string, Known>();
  /** Before the list changed: a schema that is still the same stays the same object, and is not compiled again. */
  #older = this.#tools;
  #reading: Promise<void> | undefined;

  constructor(list: (fresh: boolean) => AsyncIterable<Tool>) {
    this.#list = list;
  }

  get(name: string): Known | undefined {
    return this.#tools.get(name);
  }

  /** As `get`; the server's list is read first where nobody has. */
  async find(name: string): Promise<Known | undefined> {
    if (!this.#tools.has(name)) await this.read(false);
    return this.#tools.get(name);
  }

  /** Takes what a server says of its tools, right or wrong. */
  learn(tools: readonly unknown[]): void {
    for (const tool of tools) {
      const { name, outputSchema, execution } = (tool ?? {}) as Partial<Tool>;
      if (typeof name !== "string") continue;
      const before = (this.#tools.get(name) ?? this.#older.get(name))?.output;
      const same = before && JSON.stringify(before) === JSON.stringify(outputSchema);
      this.#tools.set(name, {
        output: same ? before : outputSchema,
        task: execution?.taskSupport ?? "forbidden",
      });
    }
  }

  /** The list has changed. */
  forget(): void {
    this.#older = this.#tools;
    this.#tools = new Map();
    this.#reading = undefined;
  }

  /** A list that can't be read leaves things as they are; the next one tries again. `fresh` reads it in any case. */
  async read(fresh: boolean): Promise<void> {
    if (fresh) this.#reading = undefined;
    await (this.#reading ??= this.#readAll(fresh).catch(() => void (this.#reading = undefined)));
  }

  async #readAll(fresh: boolean): Promise<void> {
    for await (const tool of this.#list(fresh)) this.learn([tool]);
  }
}
