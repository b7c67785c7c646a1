import { readFileSync, readdirSync } from "node:fs";

/**
 * Whether a process of the group still runs. A process that has ended counts as there for `kill` until its parent or
 * init has taken note, in a container without an init for ever; Linux says which are such. Elsewhere, and where it may not
 * be asked, the answer is yes.
 */
export function runsInGroup(group: number): boolean {
  const all = process.platform === "linux" && processes();
  return !all || all.some((name) => /^\d+$/.test(name) && runs(name, group));
}

function processes(): string[] | undefined {
  try {
    return readdirSync("/proc");
  } catch {
    return undefined;
  }
}

/** See proc_pid_stat(5): behind the name, which may hold anything, come state, parent and group. */
function runs(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(itsGroup) === group && state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}
