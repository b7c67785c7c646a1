import { INVALID_PARAMS, type Id, RpcError } from "@x/jsonrpc";
import { SUBSCRIPTION_ID } from "../../model/meta.ts";
import type { Call, Connection, Methods } from "../contract.ts";
import type { ListName } from "../feature.ts";
import type { Features } from "../features.ts";

const FILTERS: { readonly [field: string]: ListName } = {
  toolsListChanged: "tools",
  promptsListChanged: "prompts",
  resourcesListChanged: "resources",
};

interface Listener {
  readonly session: Connection;
  readonly id: Id;
  readonly lists: ReadonlySet<ListName>;
  readonly notify: (method: string, params?: object) => void;
  readonly end: () => void;
}

/** `subscriptions/listen` (basic/patterns/subscriptions): a request that stays open and hears of changes. */
export class Subscriptions {
  readonly methods: Methods = { "subscriptions/listen": (call) => this.#listen(call) };
  readonly #listeners = new Set<Listener>();
  readonly #features: Features;

  constructor(features: Features) {
    this.#features = features;
  }

  changed(list: ListName): void {
    for (const { lists, notify } of this.#listeners) if (lists.has(list)) notify(`notifications/${list}/list_changed`);
  }

  /** Ends every subscription in order, or those of one connection. Gives what has ended. */
  close(connection?: Connection): readonly Pick<Listener, "session" | "id">[] {
    const ended = [...this.#listeners].filter(({ session }) => !connection || session === connection);
    for (const { end } of ended) end();
    return ended;
  }

  async #listen(call: Call): Promise<object> {
    const { lists, uris, taskIds } = wanted(call.params["notifications"]);
    const capabilities = call.session.server.capabilities(call.client.revision);
    const asked = lists.filter(([, list]) => capabilities[list]?.listChanged);
    const resources = uris.length > 0 ? await this.#features.resources?.open() : undefined;
    const watched = uris.filter((uri) => resources?.has(uri));
    const id = call.id as Id;
    const _meta = { [SUBSCRIPTION_ID]: id };
    const notify = (method: string, params?: object): void => void call.notify(method, { ...params, _meta });
    const tasks = taskIds.length > 0 ? (await this.#features.tasks?.open())?.watch(call, taskIds, notify) : undefined;
    const watcher = (uri: string): void => notify("notifications/resources/updated", { uri });
    let over!: () => void;
    const ended = new Promise<void>((resolve) => (over = resolve));
    const end = (): void => {
      this.#listeners.delete(listener);
      for (const uri of watched) resources?.unwatch(uri, watcher);
      tasks?.stop();
      over();
    };
    const listener = { session: call.session, id, lists: new Set(asked.map(([, list]) => list)), notify, end };
    if (call.signal.aborted) return { _meta };
    call.signal.addEventListener("abort", end, { once: true });
    notify("notifications/subscriptions/acknowledged", {
      notifications: {
        ...Object.fromEntries(asked.map(([field]) => [field, true])),
        ...(watched.length > 0 && { resourceSubscriptions: watched }),
        ...(tasks && { taskIds: tasks.ids }),
      },
    });
    this.#listeners.add(listener);
    tasks?.start();
    try {
      for (const uri of watched) resources?.watch(uri, watcher);
    } catch (error) {
      end();
      throw error;
    }
    await ended;
    return { _meta };
  }
}

/** What a client asks to hear of. */
interface Wanted {
  readonly lists: readonly [string, ListName][];
  readonly uris: readonly string[];
  readonly taskIds: readonly string[];
}

function wanted(notifications: unknown): Wanted {
  if (typeof notifications !== "object" || notifications === null || Array.isArray(notifications))
    throw new RpcError(INVALID_PARAMS, 'subscriptions/listen: "notifications" must be an object');
  const filter = notifications as { readonly [field: string]: unknown };
  return {
    lists: Object.entries(FILTERS).filter(([field]) => filter[field] === true),
    uris: stringsIn(filter, "resourceSubscriptions"),
    taskIds: stringsIn(filter, "taskIds"),
  };
}

function stringsIn(filter: { readonly [field: string]: unknown }, field: string): readonly string[] {
  const { [field]: list = [] } = filter;
  if (!Array.isArray(list) || !list.every((each) => typeof each === "string"))
    throw new RpcError(INVALID_PARAMS, `subscriptions/listen: "${field}" must be a list of strings`);
  return [...new Set(list)];
}
