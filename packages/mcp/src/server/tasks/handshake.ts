import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { metaOf } from "../../model/meta.ts";
import { RELATED_TASK } from "../../model/tasks.ts";
import type { Question } from "../asking/asker.ts";
import type { Call } from "../contract.ts";
import type { TaskStore } from "./store.ts";
import type { Task } from "./task.ts";

/** Tasks as 2025-11-25 has them (basic/utilities/tasks). `tasks/result` waits for the end and carries the questions. */

/** The client decides: it asks for a task. */
export const canFollow = ({ params }: Call): boolean => typeof params["task"] === "object" && params["task"] !== null;

export const created = (task: Task): object => ({ task: shown(task) });

/** Without anybody authenticated, a task belongs to the connection. */
export const ownerOf = ({ principal, session }: Call): unknown => principal ?? session;

export function get(call: Call, store: TaskStore): object {
  return shown(find(call, store));
}

export function list(call: Call, store: TaskStore): object {
  const { cursor } = call.params;
  const tasks = store.of(ownerOf(call));
  const start = cursor === undefined ? 0 : tasks.findIndex(({ id }) => id === cursor);
  if (start === -1)
    throw new RpcError(INVALID_PARAMS, `Unknown cursor ${JSON.stringify(cursor)}: start again without one`);
  const next = tasks[start + PAGE];
  return { tasks: tasks.slice(start, start + PAGE).map(shown), ...(next && { nextCursor: next.id }) };
}

export function cancel(call: Call, store: TaskStore): object {
  const task = find(call, store);
  if (task.isFinal) throw new RpcError(INVALID_PARAMS, `The task is ${task.status} already`);
  task.cancel();
  return shown(task);
}

/** What the plain request would have given, once it is there. Meanwhile the task's questions are put to the client. */
export async function result(call: Call, store: TaskStore): Promise<object> {
  const task = find(call, store);
  const asked = new Set<string>();
  const stop = task.onQuestion((key, question) => {
    if (asked.has(key)) return;
    asked.add(key);
    void put(call, task, key, question);
  });
  await task.ended;
  stop();
  const { error, result: outcome = {} } = task;
  if (error) throw new RpcError(error.code, error.message, error.data);
  if (task.status === "cancelled") throw new RpcError(INVALID_PARAMS, "The task was cancelled");
  return { ...outcome, _meta: { ...metaOf(outcome), [RELATED_TASK]: { taskId: task.id } } };
}

async function put(call: Call, task: Task, key: string, { method, params }: Question): Promise<void> {
  try {
    const answer = await call.request(method, { ...params, _meta: { [RELATED_TASK]: { taskId: task.id } } });
    if (!task.answer(key, answer))
      task.refuse(key, new Error(`The client's answer to "${key}" is not a result of ${method}`));
  } catch (error) {
    task.refuse(key, error);
  }
}

const PAGE = 100;

const find = (call: Call, store: TaskStore): Task => store.get(call.params["taskId"], ownerOf(call));

const shown = (task: Task): object => ({
  taskId: task.id,
  status: task.status,
  ...(task.message === undefined ? undefined : { statusMessage: task.message }),
  createdAt: task.createdAt,
  lastUpdatedAt: task.updatedAt,
  ttl: task.ttl,
  pollInterval: task.pollInterval,
});
