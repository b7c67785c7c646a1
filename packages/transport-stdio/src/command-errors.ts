/** How a process ended: one of the two is null. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The command could not be started: it is not there, may not be run, or its folder is missing. */
export class ServerNotStarted extends Error {
  override name = "ServerNotStarted";
  /** The command line. */
  readonly command: string;
  /** The system's code, such as `ENOENT`. */
  readonly code: string | undefined;

  constructor(command: string, message: string, cause: unknown) {
    super(`"${command}" could not be started: ${message}`, { cause });
    this.command = command;
    this.code = (cause as { code?: string }).code;
  }
}

/** The command ended before this side closed the connection. */
export class ServerExited extends Error {
  override name = "ServerExited";
  /** The command line. */
  readonly command: string;
  readonly code: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal: string | null;
  /** How long it ran, in ms. */
  readonly ms: number;
  /** The last lines that it wrote to stderr. */
  readonly stderr: string;

  constructor(command: string, { code, signal }: Exit, ms: number, stderr: string) {
    const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
    super(`"${command}" ${how} after ${ms} ms${lastLines(stderr)}`);
    this.command = command;
    this.code = code;
    this.signal = signal;
    this.ms = ms;
    this.stderr = stderr;
  }
}

/** The command runs on, but has closed its stdin or stdout, so that nothing can be said any more. */
export class ServerUnreachable extends Error {
  override name = "ServerUnreachable";
  /** The command line. */
  readonly command: string;
  readonly stderr: string;

  constructor(command: string, what: string, stderr: string, cause?: unknown) {
    super(`"${command}" ${what}, but it still runs${lastLines(stderr)}`, { cause });
    this.command = command;
    this.stderr = stderr;
  }
}

const lastLines = (stderr: string): string =>
  stderr === "" ? "" : `\nLast lines of its stderr:\n${stderr.replace(/^/gm, "  ")}`;
