// Serving this process's stdin and stdout.
export { type ServeOptions, type StdioServer, serveStdio } from "./serve-stdio.ts";

// Starting a server and calling it.
export { type Command, type CommandOptions, command } from "./command.ts";
export type { EnvironmentVariables } from "./environment.ts";
export { ServerExited, ServerNotStarted, ServerUnreachable } from "./command-errors.ts";
export type { ShutdownOptions } from "./shutdown-options.ts";

// Any pair of streams: sockets, pipes, this process's own.
export { type StdioOptions, stdio } from "./stdio.ts";
export type { StreamOptions } from "./pair-transport.ts";
export { streamTransport } from "./stream-transport.ts";
export type { NodeReadable, NodeWritable } from "./node-streams.ts";
