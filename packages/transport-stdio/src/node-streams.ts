// As much of Node's streams as is used here, so that the published types need no @types/node.

/** A readable stream of Node: `process.stdin`, a child's stdout, a socket. It may give Buffers or strings. */
export interface NodeReadable {
  on(event: string, listener: (value: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
  readonly destroyed?: boolean | undefined;
  readonly readableEnded?: boolean | undefined;
}

/** A writable stream of Node: `process.stdout`, a child's stdin, a socket. */
export interface NodeWritable {
  on(event: string, listener: (value: unknown) => void): unknown;
  write(chunk: string | Uint8Array, written?: (error?: Error | null) => void): boolean;
  end(ended?: () => void): unknown;
  destroy(): unknown;
  readonly writable?: boolean | undefined;
}
