import type { ServerCapabilities } from "../model/capabilities.ts";
import { TASKS_EXTENSION } from "../model/tasks.ts";
import type { Revision } from "../revisions/index.ts";
import type { FeatureOptions } from "./feature.ts";
import { LateFeature } from "./late-feature.ts";
import type { Tasks } from "./tasks/index.ts";

const METHODS = ["get", "update", "cancel", "list", "result"].map((name) => `tasks/${name}`);

/** The tasks of 2025-11-25 and the extension of 2026-07-28, for servers with a tool that may become one. */
export class TasksFeature extends LateFeature<Tasks> {
  readonly #options: FeatureOptions;

  constructor(options: FeatureOptions) {
    super(METHODS, async () => {
      const { Tasks } = await import("./tasks/index.ts");
      return new Tasks(options.tasks);
    });
    this.#options = options;
  }

  capabilities({ tasks }: Revision): ServerCapabilities {
    if (tasks === "augmented") return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    return tasks === "extension" ? { extensions: { ...this.#options.extensions, [TASKS_EXTENSION]: {} } } : {};
  }
}
