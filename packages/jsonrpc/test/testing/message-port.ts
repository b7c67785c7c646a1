import { ClosedError, type Transport } from "@x/jsonrpc";

export type Port = EventTarget & { postMessage(value: unknown): void; start(): void; close(): void };

export function messagePort(port: Port): Transport {
  const closed = new AbortController();
  const close = () => closed.abort(new ClosedError("The port is closed", { sent: false }));
  return {
    open: (receive) =>
      new Promise((ended) => {
        closed.signal.addEventListener("abort", () => ended(port.close()));
        port.addEventListener("message", ({ data }: Event & { data?: unknown }) => (data ? receive(data) : close()));
        port.addEventListener("close", close); // Node: the other thread has ended
        port.start();
      }),
    send(message) {
      closed.signal.throwIfAborted();
      port.postMessage(message);
    },
    close() {
      if (!closed.signal.aborted) port.postMessage(null); // browsers don't tell the other side that a port was closed
      close();
    },
  };
}
