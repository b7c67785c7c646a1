import type { Info, Transport } from "../transport.ts";

/** A message that passed a tapped transport. */
export interface Passing {
  /** Seen from the tapped side. */
  readonly direction: "in" | "out";
  /** A message or a batch; what arrived may also be an `Invalid`. */
  readonly message: unknown;
  /** ms since the connection was opened. */
  readonly time: number;
  /** What the transport said of a message that arrived. */
  readonly info?: Info | undefined;
}

/**
 * The same transport, with somebody who listens. Told of a message that goes out once the transport has taken it, and
 * of one that arrives before its receiver is. What `onMessage` throws is printed and harms nobody.
 */
export function tap(transport: Transport, onMessage: (passing: Passing) => void): Transport {
  let opened = performance.now();
  const tell = (direction: Passing["direction"], message: unknown, info?: Info): void => {
    try {
      onMessage({ direction, message, time: performance.now() - opened, info });
    } catch (error) {
      console.error(error);
    }
  };
  return {
    open(receive) {
      opened = performance.now();
      return transport.open((message, ...rest) => {
        tell("in", message, rest[0]);
        receive(message, ...rest);
      });
    },
    send(message, options) {
      const sent = transport.send(message, options);
      tell("out", message);
      return sent;
    },
    close: () => transport.close(),
    cancel: (id) => transport.cancel?.(id) ?? false,
  };
}
