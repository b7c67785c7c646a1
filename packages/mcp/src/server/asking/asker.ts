import type { ClientCapabilities } from "../../model/capabilities.ts";

/** Something to ask the client for. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: object;
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
  /** Set where something was asked that is not answered yet: the result that puts the questions to the client. */
  readonly pending?: (() => Promise<object>) | undefined;
}

/** The handler can't go on before the client has answered; it will be started again with the answers. */
export class InputRequired extends Error {
  override name = "InputRequired";

  constructor(key: string) {
    super(`The client is asked for "${key}"; this handler starts again with the answer. Let this error pass`);
  }
}

/** What of `needs` the client has not declared; undefined when there is nothing. */
export function lacking(needs: ClientCapabilities, has: ClientCapabilities): ClientCapabilities | undefined {
  const missing = missingIn(needs as Tree, has as Tree);
  return Object.keys(missing).length > 0 ? missing : undefined;
}

type Tree = { readonly [key: string]: Tree | boolean | undefined };

function missingIn(needs: Tree, has: Tree): Tree {
  const missing: Record<string, Tree | boolean> = {};
  for (const [key, need] of Object.entries(needs)) {
    const own = Object.hasOwn(has, key) ? has[key] : undefined;
    if (need === undefined) continue;
    if (own === undefined) missing[key] = need;
    else if (typeof need === "object" && typeof own === "object") {
      const within = missingIn(need, own);
      if (Object.keys(within).length > 0) missing[key] = within;
    }
  }
  return missing;
}
