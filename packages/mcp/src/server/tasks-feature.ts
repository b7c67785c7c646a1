import type { ServerCapabilities } from "../model/capabilities.ts";
import { TASKS_EXTENSION } from "../model/tasks.ts";
import type { Revision } from "../revisions/index.ts";
import type { FeatureOptions } from "./feature.ts";
import { LateFeature } from "./late-feature.ts";
import type { Tasks } from "./tasks/index.ts";

/** The tasks of 2025-11-25 and the extension of 2026-07-28, for servers with a tool that may become one. */
export const tasksFeature = ({ tasks, extensions }: FeatureOptions): LateFeature<Tasks> =>
  new LateFeature(
    ["tasks/get", "tasks/update", "tasks/cancel", "tasks/list", "tasks/result"],
    (revision) => capabilities(revision, extensions),
    async () => {
      const { Tasks } = await import("./tasks/index.ts");
      return new Tasks(tasks);
    },
  );

function capabilities({ tasks }: Revision, extensions: FeatureOptions["extensions"]): ServerCapabilities {
  if (tasks === "augmented") return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
  return tasks === "extension" ? { extensions: { ...extensions, [TASKS_EXTENSION]: {} } } : {};
}
