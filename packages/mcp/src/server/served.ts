import { type Revision, revisions } from "../revisions/index.ts";
import type { ServerCore } from "./contract.ts";

/** Every revision that a server speaks, newest first. */
export const servedBy = ({ options }: ServerCore): readonly Revision[] => options.revisions ?? revisions;
