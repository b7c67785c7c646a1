import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { Call, Connection, Methods } from "../contract.ts";
import type { ListName } from "../feature.ts";
import type { Features } from "../features.ts";
import { Listening } from "./listening.ts";

const FILTERS: { readonly [field: string]: ListName } = {
  toolsListChanged: "tools",
  promptsListChanged: "prompts",
  resourcesListChanged: "resources",
};

/** `subscriptions/listen` (basic/patterns/subscriptions): a request that stays open and hears of changes. */
export class Subscriptions {
  readonly methods: Methods = { "subscriptions/listen": (call) => this.#listen(call) };
  readonly #open = new Set<Listening>();
  readonly #features: Features;

  constructor(features: Features) {
    this.#features = features;
  }

  changed(list: ListName): void {
    for (const listening of this.#open) listening.changed(list);
  }

  /** Ends the subscriptions of a connection. */
  close(connection: Connection): void {
    for (const listening of this.#open) if (listening.session === connection) listening.end();
  }

  /** Ends every subscription in order, as a server does that ends. */
  async end(): Promise<void> {
    const ended = [...this.#open];
    for (const listening of ended) listening.end();
    // Their answers take a few microtasks to the transport.
    await new Promise<void>((resolve) => setTimeout(resolve));
    for (const { session, id } of ended) void session.notify("notifications/cancelled", { requestId: id });
  }

  #listen(call: Call): Promise<object> {
    const { lists, uris, taskIds } = wanted(call.params["notifications"]);
    const capabilities = call.session.server.capabilities(call.client.revision);
    const asked = lists.filter(([, list]) => capabilities[list]?.listChanged);
    const listening = new Listening(this.#open, call, asked);
    return uris.length + taskIds.length === 0 ? listening.start() : this.#listenTo(listening, uris, taskIds);
  }

  async #listenTo(listening: Listening, uris: readonly string[], taskIds: readonly string[]): Promise<object> {
    const { resources, tasks } = this.#features;
    if (uris.length > 0) listening.watchResources(uris, await resources?.open());
    if (taskIds.length > 0) listening.watchTasks(taskIds, await tasks?.open());
    return await listening.start();
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
