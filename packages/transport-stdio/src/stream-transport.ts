import type { Transport } from "@x/jsonrpc";
import type { NodeReadable, NodeWritable } from "./node-streams.ts";
import { PairTransport, type StreamOptions } from "./pair-transport.ts";

/**
 * JSON-RPC over any pair of Node streams: a socket (give it twice), pipes, a serial line. `open` fulfils at the end of
 * the input and rejects when either stream breaks. `send` gives a promise while the output is over its high-water mark.
 */
export function streamTransport(
  readable: NodeReadable,
  writable: NodeWritable,
  options: StreamOptions = {},
): Transport {
  const isSocket = (readable as object) === writable;
  return isSocket ? new SocketTransport(readable, writable, options) : new PairTransport(readable, writable, options);
}

/** ms that the other side of a socket has to close its half. Cutting it off at once can destroy what we sent last. */
const LINGER = 1000;

class SocketTransport extends PairTransport {
  constructor(readable: NodeReadable, writable: NodeWritable, options: StreamOptions) {
    // Else Node ends our half as soon as the other side ends its own, and what it still waits for is lost.
    (readable as { allowHalfOpen?: boolean }).allowHalfOpen = true;
    super(readable, writable, options);
  }

  protected override letGo(socket: NodeReadable): void {
    socket.resume();
    const cutOff = setTimeout(() => socket.destroy(), LINGER).unref();
    socket.on("close", () => clearTimeout(cutOff));
  }
}
