import { ClosedError, type Transport } from "@x/jsonrpc";

type Port = EventTarget & { postMessage(value: unknown): void; start(): void; close(): void };

export function messagePort(port: Port): Transport {
  let closed = false;
  port.addEventListener("close", () => (closed = true));
  return {
    open: (receive) =>
      new Promise((ended) => {
        port.addEventListener("message", ({ data }: Event & { data?: unknown }) => receive(data));
        port.addEventListener("close", () => ended());
        port.start();
      }),
    send(message) {
      if (closed) throw new ClosedError("The port is closed", { sent: false });
      port.postMessage(message);
    },
    close() {
      port.close();
      port.dispatchEvent(new Event("close")); // browsers tell only the other side
    },
  };
}
