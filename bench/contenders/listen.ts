import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { settled } from "./heap.ts";

/** How many tools the server has: the first argument of its program. */
export const toolCount: number = Number(process.argv[2] ?? 1);

/**
 * Listens on a free port and says which. What else it is asked by message: the processor time that it has `spent`, in ms;
 * its `memory` in bytes, garbage collected; to make a `change` that its listeners are to hear of.
 * Connections stay open while other contenders have their turn.
 */
export function listen(server: Server, change?: () => void): void {
  server.keepAliveTimeout = 0;
  // It outlives nobody; and a process that ends by itself lets a profiler write what it knows.
  process.on("SIGTERM", () => process.exit());
  process.on("message", (question) => {
    if (question === "spent") process.send?.(spent());
    else if (question === "memory") process.send?.(memory());
    else change?.();
  });
  process.stdin.on("end", () => process.exit()).resume();
  server.listen(0, "127.0.0.1", 4096, () => console.log((server.address() as AddressInfo).port));
}

function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function memory(): { readonly rss: number; readonly heap: number } {
  const heap = settled();
  return { rss: process.memoryUsage().rss, heap };
}
