import type { Message } from "./request.ts";

/** What needs which scopes. */
export interface ScopeOptions {
  /** For every request. */
  readonly scopes?: readonly string[] | undefined;
  /** For a method besides: `{ "resources/read": ["files:read"] }`. */
  readonly methods?: { readonly [method: string]: readonly string[] } | undefined;
  /** For a call of a tool besides. */
  readonly tools?: { readonly [tool: string]: readonly string[] } | undefined;
  /** Scopes that stand for others: `{ admin: ["files:read", "files:write"] }`. */
  readonly implies?: { readonly [scope: string]: readonly string[] } | undefined;
}

/** Which scopes are needed, and whether those that somebody has will do. */
export class Scopes {
  readonly always: readonly string[];
  readonly #options: ScopeOptions;

  constructor(options: ScopeOptions) {
    const { scopes = [], methods = {}, tools = {} } = options;
    const all = [scopes, ...Object.values(methods), ...Object.values(tools)].flat();
    if (all.includes("offline_access"))
      throw new TypeError('"offline_access" is between client and authorization server; a server must not ask for it');
    const odd = all.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
    if (odd !== undefined) throw new TypeError(`A scope must be one word of visible ASCII, got ${JSON.stringify(odd)}`);
    this.always = scopes;
    this.#options = options;
  }

  /** All that a message needs. */
  neededFor({ method, params }: Message): readonly string[] {
    const { methods, tools } = this.#options;
    const name = method === "tools/call" ? (params as { readonly name?: unknown } | undefined)?.name : undefined;
    return [...new Set([...this.always, ...own(methods, method), ...own(tools, name)])];
  }

  /** Whether scopes that somebody has contain those that are needed, or stand for them. */
  cover(granted: readonly string[], needed: readonly string[]): boolean {
    if (needed.every((scope) => granted.includes(scope))) return true;
    const all = new Set(granted);
    for (const scope of all) for (const implied of own(this.#options.implies, scope)) all.add(implied);
    return needed.every((scope) => all.has(scope));
  }
}

function own(table: { readonly [name: string]: readonly string[] } | undefined, name: unknown): readonly string[] {
  return table && typeof name === "string" && Object.hasOwn(table, name) ? (table[name] ?? []) : [];
}
