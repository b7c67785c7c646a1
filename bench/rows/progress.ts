import { z } from "zod";
import { againstOfficial } from "../contenders/lifecycle-bars.ts";
import * as official1 from "../contenders/official-1.ts";
import { joined as official1Joined } from "../contenders/official-1-joined.ts";
import * as official2 from "../contenders/official-2.ts";
import { joined as official2Joined } from "../contenders/official-2-joined.ts";
import * as ours from "../contenders/ours.ts";
import { joined as oursJoined } from "../contenders/ours-joined.ts";
import type { Lifecycle } from "../contenders/raw-client.ts";
import type { Effort, Figure, Row, Sample } from "../harness/row.ts";

const REPORTS = 100_000;
const time: Figure = { name: "time", unit: "ms", better: "less" };
const input = z.object({ count: z.number() });
const method = "notifications/progress";

/** One call that reports progress `count` times; each report has to arrive before the answer. */
type Flood = (count: number, heard: () => void) => Promise<unknown>;

async function measure(flood: Flood, { quick }: Effort): Promise<Sample> {
  const timed = async (count: number): Promise<number> => {
    let reports = 0;
    const start = process.cpuUsage();
    await flood(count, () => reports++);
    const { user, system } = process.cpuUsage(start);
    if (reports !== count) throw new Error(`Expected ${count} reports, got ${reports}`);
    return (user + system) / 1000;
  };
  await timed(2000);
  const count = quick ? REPORTS / 10 : REPORTS;
  return { [time.name]: (await timed(count)) * (REPORTS / count) };
}

async function oursFlood(lifecycle: Lifecycle): Promise<Flood> {
  const server = ours.server();
  server.tool("report", { input }, ({ count }, context) => {
    for (let i = 1; i <= count; i++) context.progress(i, count);
  });
  const client = await oursJoined(server, lifecycle);
  return (count, onProgress) => client.callTool("report", { count }, { onProgress });
}

async function official1Flood(): Promise<Flood> {
  const server = official1.server();
  server.registerTool("report", { inputSchema: input.shape }, async ({ count }, { _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? "";
    for (let progress = 1; progress <= count; progress++)
      await sendNotification({ method, params: { progressToken, progress, total: count } });
    return { content: [] };
  });
  const client = await official1Joined(server);
  return (count, onprogress) =>
    client.callTool({ name: "report", arguments: { count } }, undefined, { onprogress, timeout: 600_000 });
}

function server2(): ReturnType<typeof official2.server> {
  const server = official2.server();
  server.registerTool("report", { inputSchema: input }, async ({ count }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? "";
    for (let progress = 1; progress <= count; progress++)
      await mcpReq.notify({ method, params: { progressToken, progress, total: count } });
    return { content: [] };
  });
  return server;
}

async function official2Flood(lifecycle: Lifecycle): Promise<Flood> {
  const client = await official2Joined(server2, lifecycle);
  return (count, onprogress) =>
    client.callTool({ name: "report", arguments: { count } }, { onprogress, timeout: 600_000 });
}

export default {
  title: "Progress: 100,000 notifications from one call, client and server in memory, as text",
  note: "Processor time.",
  figures: [time],
  contenders: [
    { name: "ours, handshake", kind: "ours", measure: async (effort) => measure(await oursFlood("handshake"), effort) },
    { name: "ours, stateless", kind: "ours", measure: async (effort) => measure(await oursFlood("stateless"), effort) },
    { name: "official 1.x", kind: "peer", measure: async (effort) => measure(await official1Flood(), effort) },
    {
      name: "official 2.x, handshake",
      kind: "peer",
      measure: async (effort) => measure(await official2Flood("handshake"), effort),
    },
    {
      name: "official 2.x, stateless",
      kind: "peer",
      measure: async (effort) => measure(await official2Flood("stateless"), effort),
    },
  ],
  bars: againstOfficial({ atMost: 1 / 4 }),
} satisfies Row;
