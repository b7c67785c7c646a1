import {
  type Context,
  type Peer,
  type PeerOptions,
  type Service,
  type Transport,
  createPeer,
  memoryPair,
} from "@x/jsonrpc";

export interface Joined {
  readonly client: Peer;
  readonly server: Peer;
  /** What the dispatcher gave for each call: a value where the call was answered in the same turn. */
  readonly outcomes: unknown[];
}

/** A peer that calls and one that serves. `wrap` puts something between the caller and its transport. */
export function join(
  service: Service,
  options: PeerOptions = {},
  { wrap = (transport) => transport, ...serving }: PeerOptions & { wrap?: (transport: Transport) => Transport } = {},
): Joined {
  const [near, far] = memoryPair();
  const outcomes: unknown[] = [];
  const dispatcher = {
    dispatch(context: Context) {
      const outcome = service.dispatch(context);
      outcomes.push(outcome);
      return outcome;
    },
    repeat: (context: Context) => service.repeat?.(context),
  };
  const server = createPeer(far, { onError: () => {}, ...serving, service: dispatcher });
  return { client: createPeer(wrap(near), { onError: () => {}, ...options }), server, outcomes };
}

/** Sends only what `passes`, and remembers everything. */
export function filtered(sent: unknown[], passes: (nth: number) => boolean): (transport: Transport) => Transport {
  return (transport) => ({
    open: (receive) => transport.open(receive),
    close: () => transport.close(),
    send(message, options) {
      sent.push(message);
      return passes(sent.length) ? transport.send(message, options) : undefined;
    },
  });
}
