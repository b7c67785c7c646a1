import type { Id } from "@x/jsonrpc";
import { SUBSCRIPTION_ID } from "../../model/meta.ts";
import type { Call, Connection } from "../contract.ts";
import type { ListName } from "../feature.ts";
import type { Resources } from "../resources/index.ts";
import type { Tasks } from "../tasks/index.ts";

/**
 * One request that hears of changes, from its acknowledgement to its end. A server may have thousands: it has no closure
 * and no list that it doesn't need.
 */
export class Listening {
  readonly #open: Set<Listening>;
  readonly #call: Call;
  readonly #lists: readonly (readonly [field: string, list: ListName])[];
  #resources: Resources | undefined;
  #uris: readonly string[] | undefined;
  #watcher: ((uri: string) => void) | undefined;
  #tasks: ReturnType<Tasks["watch"]> | undefined;
  #over: ((result: object) => void) | undefined;

  /** `open` keeps it while it hears. `lists` are those that it hears of, each with its field in the request. */
  constructor(open: Set<Listening>, call: Call, lists: readonly (readonly [field: string, list: ListName])[]) {
    this.#open = open;
    this.#call = call;
    this.#lists = lists;
  }

  get session(): Connection {
    return this.#call.session;
  }

  get id(): Id {
    return this.#call.id as Id;
  }

  watchResources(uris: readonly string[], resources: Resources | undefined): void {
    this.#resources = resources;
    this.#uris = uris.filter((uri) => resources?.has(uri));
    this.#watcher = (uri) => this.#tell("notifications/resources/updated", { uri });
  }

  watchTasks(ids: readonly string[], tasks: Tasks | undefined): void {
    this.#tasks = tasks?.watch(this.#call, ids, (method, params) => this.#tell(method, params));
  }

  /** Resolves with the request's result when it has ended. */
  start(): Promise<object> {
    const { signal } = this.#call;
    if (signal.aborted) return Promise.resolve(this.#result);
    signal.addEventListener("abort", this, { once: true });
    try {
      for (const uri of this.#uris ?? []) this.#resources?.watch(uri, this.#watcher!);
    } catch (error) {
      this.end();
      return Promise.reject(error);
    }
    this.#acknowledge();
    this.#open.add(this);
    this.#tasks?.start();
    return new Promise((resolve) => (this.#over = resolve));
  }

  changed(list: ListName): void {
    if (this.#lists.some(([, each]) => each === list)) this.#tell(`notifications/${list}/list_changed`);
  }

  end(): void {
    this.#open.delete(this);
    for (const uri of this.#uris ?? []) this.#resources?.unwatch(uri, this.#watcher!);
    this.#tasks?.stop();
    this.#over?.(this.#result);
  }

  /** The client has gone. */
  handleEvent(): void {
    this.end();
  }

  #acknowledge(): void {
    this.#tell("notifications/subscriptions/acknowledged", {
      notifications: {
        ...Object.fromEntries(this.#lists.map(([field]) => [field, true])),
        ...(this.#uris && this.#uris.length > 0 && { resourceSubscriptions: this.#uris }),
        ...(this.#tasks && { taskIds: this.#tasks.ids }),
      },
    });
  }

  #tell(method: string, params?: object): void {
    void this.#call.notify(method, { ...params, ...this.#result });
  }

  get #result(): object {
    return { _meta: { [SUBSCRIPTION_ID]: this.id } };
  }
}
