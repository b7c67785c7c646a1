import { bare, jaysonBatch, jaysonClient, ours } from "../contenders/echo-peers.ts";
import { checkEcho, order } from "../contenders/order.ts";
import type { Row, Subject } from "../harness/row.ts";

const orders = Array.from({ length: 50 }, () => order);

/** One batch after another; n counts calls. The first batch's results are checked. */
async function batching(batch: () => Promise<readonly unknown[]>): Promise<Subject> {
  const results = await batch();
  if (results.length !== orders.length) throw new Error(`Expected ${orders.length} results, got ${results.length}`);
  results.forEach(checkEcho);
  return {
    run: async (n) => {
      for (let done = 0; done < n; done += orders.length) await batch();
    },
    close: () => {},
  };
}

export default {
  title: "Echo between two peers in memory, as text, in batches of 50",
  contenders: [
    {
      name: "ours",
      kind: "ours",
      prepare: () => {
        const peer = ours();
        return batching(() => peer.batch((batch) => orders.map((one) => batch.request("echo", one))));
      },
    },
    {
      name: "jayson",
      kind: "peer",
      prepare: () => {
        const client = jaysonClient();
        return batching(() => jaysonBatch(client, "echo", orders));
      },
    },
    {
      name: "bare",
      kind: "bare",
      prepare: () => {
        const peer = bare();
        return batching(() => peer.batch("echo", orders));
      },
    },
  ],
  bars: [{ against: "bare", atLeast: 0.6 }],
} satisfies Row;
