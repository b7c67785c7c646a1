import type { Message, Transport } from "@x/jsonrpc";

export type Direction = "out" | "in";

/** The same transport; `see` is shown everything that passes, in order. */
export function tap(transport: Transport, see: (direction: Direction, message: Message) => void): Transport {
  return {
    open: (receive) =>
      transport.open((message, info) => {
        see("in", message as Message);
        receive(message, info);
      }),
    send: (message, options) => {
      see("out", message as Message);
      return transport.send(message, options);
    },
    close: () => transport.close(),
  };
}
