import type { ClientCapabilities } from "../../model/capabilities.ts";

/** The methods whose handlers may ask without a handshake (basic/patterns/mrtr). */
export const ASKING: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** ms that an answer may take, unless the server's option `state.ttl` says otherwise: people need longer than programs. */
export const ANSWER_TTL = 600_000;

/** Something to ask the client for. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: object;
  /** Further parameters, where the question is a request of its own. */
  readonly named?: object;
  /** What the client must have declared. */
  readonly needs: ClientCapabilities;
  /** Undefined for an answer of the wrong shape, which counts as none. */
  readonly read: (answer: unknown) => unknown;
}

/** How a handler's questions reach the client. Each lifecycle has its own way. */
export interface Asker {
  /** `key` tells the question from others of the same call. */
  ask(key: string, question: Question): Promise<unknown>;
  /** Runs `work` once for the whole call, however often the handler starts again. */
  once<T>(key: string, work: () => T | Promise<T>): Promise<T>;
  /** Tells the client what came of it, where it can be told. */
  tell?(method: string, params: object): Promise<void>;
  /** Set where something was asked that is not answered yet: the result that puts the questions to the client. */
  readonly pending?: (() => Promise<object>) | undefined;
  /** Whether a handler ended with this error because its questions have to be answered first. */
  isStop?(error: unknown): boolean;
}
