import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** How many tools the server has: the first argument of its program. */
export const toolCount: number = Number(process.argv[2] ?? 1);

/**
 * Listens on a free port and says which; says how much processor time it has spent, in ms, when it gets a message.
 * Connections stay open while other contenders have their turn.
 */
export function listen(server: Server): void {
  server.keepAliveTimeout = 0;
  // It outlives nobody; and a process that ends by itself lets a profiler write what it knows.
  process.on("SIGTERM", () => process.exit());
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  });
  process.stdin.on("end", () => process.exit()).resume();
  server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
}
