import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { type Meta, metaOf } from "../../model/meta.ts";
import { RELATED_TASK } from "../../model/tasks.ts";
import { ANSWER_TTL, type Question } from "../asking/asker.ts";
import { directly } from "../asking/questions.ts";
import type { Call, Told } from "../contract.ts";
import type { TaskStore } from "./store.ts";
import type { Task } from "./task.ts";

/** Tasks as 2025-11-25 has them (basic/utilities/tasks). `tasks/result` waits for the end and carries the questions. */

/** The client decides: it asks for a task. */
export const canFollow = ({ params }: Call): boolean => typeof params["task"] === "object" && params["task"] !== null;

export const created = (task: Task): object => ({ task: shown(task) });

/** Progress and log messages go on until the task has ended. */
export const told = (task: Task): Told => ({
  meta: related(task),
  get isFinal() {
    return task.isFinal;
  },
});

/** Without anybody authenticated, a task belongs to the connection; where there is none, to whoever knows its id. */
export const ownerOf = ({ principal, session }: Call): unknown => principal ?? (session.isSingle ? undefined : session);

export function get(call: Call, store: TaskStore): object {
  return shown(find(call, store));
}

export function list(call: Call, store: TaskStore): object {
  const { cursor } = call.params;
  const owner = ownerOf(call);
  const tasks = owner === undefined ? [] : store.of(owner);
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
  const over = new AbortController();
  const stop = task.onQuestion((key, question) => {
    if (asked.has(key)) return;
    asked.add(key);
    // It may be asked again when it has failed.
    const refuse = (error: unknown): void => {
      asked.delete(key);
      task.refuse(key, error);
    };
    void put(call, task, { key, question, signal: over.signal, refuse });
  });
  const gone = new Promise<void>((resolve) => call.signal.addEventListener("abort", resolve));
  await Promise.race([task.ended, gone]);
  stop();
  over.abort(new Error("Nobody waits for the answer any more"));
  call.signal.throwIfAborted();
  const { error, result: outcome = {} } = task;
  if (error) throw new RpcError(error.code, error.message, error.data);
  if (task.status === "cancelled") throw new RpcError(INVALID_PARAMS, "The task was cancelled");
  return { ...outcome, _meta: { ...metaOf(outcome), ...related(task) } };
}

interface Asked {
  readonly key: string;
  readonly question: Question;
  readonly signal: AbortSignal;
  /** The question could not be put, or not answered. */
  readonly refuse: (error: unknown) => void;
}

/** A question that is given up stays outstanding, for whoever waits for the result next. */
async function put(call: Call, task: Task, { key, question, signal, refuse }: Asked): Promise<void> {
  const { method } = question;
  const params = directly(question, call.client.revision);
  const timeout = call.session.server.options.state?.ttl ?? ANSWER_TTL;
  try {
    const answer = await call.request(method, { ...params, _meta: related(task) }, { signal, timeout });
    if (!task.answer(key, answer)) refuse(new Error(`The client's answer to "${key}" is not a result of ${method}`));
  } catch (error) {
    if (!signal.aborted) refuse(error);
  }
}

const related = ({ id }: Task): Meta => ({ [RELATED_TASK]: { taskId: id } });

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
