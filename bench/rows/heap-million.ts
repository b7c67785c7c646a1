import { ours as echoPeer } from "../contenders/echo-peers.ts";
import { settled } from "../contenders/heap.ts";
import { inFlight } from "../contenders/in-flight.ts";
import { order } from "../contenders/order.ts";
import * as ours from "../contenders/ours.ts";
import { joined as oursJoined } from "../contenders/ours-joined.ts";
import { room } from "../contenders/room.ts";
import type { Effort, Figure, Row, Sample } from "../harness/row.ts";

const growth: Figure = { name: "growth", unit: "bytes", better: "less" };

/** What the heap has grown by after the calls, garbage collected. */
async function measure(call: () => Promise<unknown>, { quick }: Effort): Promise<Sample> {
  await inFlight(20_000, 64, call);
  const before = settled();
  await inFlight(quick ? 200_000 : 1_000_000, 64, call);
  return { [growth.name]: settled() - before };
}

export default {
  title: "Heap after one million calls on one connection, against before",
  figures: [growth],
  flags: ["--expose-gc"],
  contenders: [
    {
      name: "ours, JSON-RPC",
      kind: "ours",
      measure: async (effort) => {
        const peer = echoPeer();
        return await measure(() => peer.request("echo", order), effort);
      },
    },
    {
      name: "ours, MCP tools/call",
      kind: "ours",
      measure: async (effort) => {
        const client = await oursJoined(ours.server(), "stateless");
        return await measure(() => client.callTool(room.name, room.arguments), effort);
      },
    },
  ],
  bars: [{ atMost: 1e6 }],
} satisfies Row;
