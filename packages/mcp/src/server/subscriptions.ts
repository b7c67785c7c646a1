import { INVALID_PARAMS, type Id, RpcError } from "@x/jsonrpc";
import { SUBSCRIPTION_ID } from "../model/meta.ts";
import type { Call, Connection, Method } from "./contract.ts";
import type { ListName } from "./feature.ts";

const FILTERS: { readonly [field: string]: ListName } = {
  toolsListChanged: "tools",
  promptsListChanged: "prompts",
  resourcesListChanged: "resources",
};

interface Listener {
  readonly session: Connection;
  readonly lists: ReadonlySet<ListName>;
  readonly notify: (method: string, params?: object) => void;
  readonly end: () => void;
}

/** `subscriptions/listen` (basic/patterns/subscriptions): a request that stays open and hears of changes. */
export class Subscriptions {
  readonly methods: { readonly [name: string]: Method } = { "subscriptions/listen": (call) => this.#listen(call) };
  readonly #listeners = new Set<Listener>();

  changed(list: ListName): void {
    for (const { lists, notify } of this.#listeners) if (lists.has(list)) notify(`notifications/${list}/list_changed`);
  }

  /** Ends every subscription in order, or those of one connection. */
  close(connection?: Connection): void {
    for (const { session, end } of this.#listeners) if (!connection || session === connection) end();
  }

  #listen(call: Call): Promise<object> {
    const { notifications } = call.params;
    if (typeof notifications !== "object" || notifications === null)
      throw new RpcError(INVALID_PARAMS, 'subscriptions/listen: "notifications" must be an object');
    const asked = Object.entries(FILTERS).filter(
      ([field, list]) =>
        (notifications as Record<string, unknown>)[field] === true &&
        call.session.server.capabilities(call.client.revision)[list]?.listChanged,
    );
    const _meta = { [SUBSCRIPTION_ID]: call.id as Id };
    const notify = (method: string, params?: object): void => void call.notify(method, { ...params, _meta });
    return new Promise((resolve) => {
      const end = (): void => {
        this.#listeners.delete(listener);
        resolve({ _meta });
      };
      const listener = { session: call.session, lists: new Set(asked.map(([, list]) => list)), notify, end };
      notify("notifications/subscriptions/acknowledged", {
        notifications: Object.fromEntries(asked.map(([field]) => [field, true])),
      });
      this.#listeners.add(listener);
      call.signal.addEventListener("abort", end, { once: true });
    });
  }
}
