import { spawn, spawnSync } from "node:child_process";
import { runsInGroup } from "./group-members.ts";

const isWindows = process.platform === "win32";

/** A started process with all that it has started itself. */
export class ProcessTree {
  readonly #pid: number;
  #rootRuns = true;
  #gone = false;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** To be told when the process itself has ended. */
  rootExited(): void {
    this.#rootRuns = false;
  }

  /** Whether any of it still runs. On Windows only the process itself can be seen. */
  get alive(): boolean {
    return isWindows ? this.#rootRuns : this.#signal(0) && runsInGroup(this.#pid);
  }

  /** Asks all of it to end (SIGTERM) or ends it (SIGKILL). Windows knows only the latter. */
  end(signal: "SIGTERM" | "SIGKILL"): void {
    if (!isWindows) this.#signal(signal);
    else if (this.#rootRuns) spawn("taskkill", this.#taskkill(), { windowsHide: true }).on("error", () => {});
  }

  /** The same where no event will be heard any more. */
  endAtExit(signal: "SIGTERM" | "SIGKILL"): void {
    if (!isWindows) this.#signal(signal);
    else if (this.#rootRuns) spawnSync("taskkill", this.#taskkill(), { windowsHide: true });
  }

  /** The number of the process group is the pid of its first process, which isn't given anew while one is left. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    if (this.#gone) return false;
    try {
      return process.kill(-this.#pid, signal);
    } catch (error) {
      // EPERM: under another user now, or (macOS) dead and not yet waited for.
      if ((error as NodeJS.ErrnoException).code === "EPERM") return this.#rootRuns;
      this.#gone = true;
      return false;
    }
  }

  #taskkill(): string[] {
    return ["/pid", String(this.#pid), "/T", "/F"];
  }
}
