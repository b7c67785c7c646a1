import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import type { ClientCapabilities } from "../../model/capabilities.ts";
import { type DetailedTask, TASKS_EXTENSION, type Task as TaskShape } from "../../model/tasks.ts";
import { refused } from "../asking/lacking.ts";
import type { Call } from "../contract.ts";
import type { TaskStore } from "./store.ts";
import type { Task } from "./task.ts";

/** Tasks of which a subscription hears. */
export interface Watched {
  readonly ids: readonly string[];
  start(): void;
  stop(): void;
}

/** Tasks as the extension has them (ext-tasks). The client polls, and brings answers with `tasks/update`. */

export const capability: ClientCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };

/** May this request be answered by a task? */
export const canFollow = ({ client }: Call): boolean => client.capabilities.extensions?.[TASKS_EXTENSION] !== undefined;

/** The answer to a call that goes on as a task. */
export const created = (task: Task): object => ({ resultType: "task", ...shown(task) });

/** The extension has no progress and no log messages of tasks. */
export const told = (): undefined => undefined;

export const ownerOf = ({ principal }: Call): unknown => principal;

export function get(call: Call, store: TaskStore): object {
  return detailed(find(call, store));
}

export function update(call: Call, store: TaskStore): object {
  const task = find(call, store);
  const { inputResponses } = call.params;
  if (typeof inputResponses !== "object" || inputResponses === null)
    throw new RpcError(INVALID_PARAMS, 'tasks/update: "inputResponses" must be an object');
  for (const [key, answer] of Object.entries(inputResponses)) task.answer(key, answer);
  return {};
}

export function cancel(call: Call, store: TaskStore): object {
  find(call, store).cancel();
  return {};
}

/** Tells of each change of those tasks that are the caller's (a MAY of the extension). */
export function watch(
  call: Call,
  store: TaskStore,
  ids: readonly string[],
  tell: (method: string, params: object) => void,
): Watched {
  if (!canFollow(call)) throw refused(capability);
  const owner = ownerOf(call);
  const watched = ids.flatMap((id) => {
    const task = store.find(id, owner);
    return task ? [{ task, changed: () => tell("notifications/tasks", detailed(task)) }] : [];
  });
  return {
    ids: watched.map(({ task }) => task.id),
    start: () => {
      for (const { task, changed } of watched) task.watchers.add(changed);
    },
    stop: () => {
      for (const { task, changed } of watched) task.watchers.delete(changed);
    },
  };
}

/** A client that never heard of tasks is told so before anything is looked up. */
function find(call: Call, store: TaskStore): Task {
  if (!canFollow(call)) throw refused(capability);
  return store.get(call.params["taskId"], ownerOf(call));
}

const shown = (task: Task): TaskShape => ({
  taskId: task.id,
  status: task.status,
  ...(task.message === undefined ? undefined : { statusMessage: task.message }),
  createdAt: task.createdAt,
  lastUpdatedAt: task.updatedAt,
  ttlMs: task.ttl,
  pollIntervalMs: task.pollInterval,
});

const detailed = (task: Task): DetailedTask => ({
  ...shown(task),
  ...(task.status === "input_required" ? { inputRequests: task.inputRequests } : undefined),
  ...(task.result && { result: task.result as DetailedTask["result"] & object }),
  ...(task.error && { error: task.error }),
});
