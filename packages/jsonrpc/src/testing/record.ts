import { Invalid } from "../invalid.ts";
import type { Transport } from "../transport.ts";
import { tap } from "./tap.ts";

/** One line of a recording. */
export interface Entry {
  /** ms since the connection was opened. */
  readonly time: number;
  /** Seen from the recorded side. */
  readonly direction: "in" | "out";
  readonly message?: unknown;
  /** In place of a message: what arrived was none. */
  readonly invalid?: Pick<Invalid, "error" | "id" | "meant">;
  /** In place of a message: the other side ended; the reason if the connection broke. */
  readonly ended?: string | true;
}

/**
 * The same transport; every message that passes is written as a line of JSON (NDJSON) with its direction and time, and
 * so is the other side's end. `replay` plays it again.
 */
export function record(transport: Transport, write: (line: string) => void): Transport {
  let opened = performance.now();
  const line = (entry: Omit<Entry, "time">): void => {
    const time = Math.round((performance.now() - opened) * 1000) / 1000;
    write(`${JSON.stringify({ time, ...entry })}\n`);
  };
  const tapped = tap(transport, ({ direction, message }) => {
    if (!(message instanceof Invalid)) return line({ direction, message });
    const { error, id, meant } = message;
    line({ direction, invalid: { error, id, meant } });
  });
  return {
    ...tapped,
    async open(receive) {
      opened = performance.now();
      try {
        await tapped.open(receive);
        line({ direction: "in", ended: true });
      } catch (reason) {
        line({ direction: "in", ended: reason instanceof Error ? reason.message : String(reason) });
        throw reason;
      }
    },
  };
}
