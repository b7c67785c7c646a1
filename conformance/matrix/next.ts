import { type Revision, revisions } from "@x/mcp";

const [newest] = revisions as readonly [Revision];

/** A revision that nobody has written: roots and tasks are gone from it, and structured content is an object again. */
export const next: Revision = {
  ...newest,
  version: "2027-03-31",
  asks: new Set([...newest.asks].filter((method) => method !== "roots/list")),
  requests: new Set([...newest.requests].filter((method) => !method.startsWith("tasks/"))),
  tasks: undefined,
  objectOutput: true,
};
