import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@x/mcp/server";
import { type HttpInfo, nodeListener } from "@x/transport-http";

const mcp = new McpServer({ name: "soak", version: "1.0.0" });
mcp.tool("echo", { description: "Says what it is told" }, ({ text }) => String(text));
mcp.tool("report", { description: "Reports" }, async (_args, context) => {
  for (let i = 1; i <= 5; i++) {
    context.progress(i, 5);
    await sleep(2);
  }
  return "reported";
});
mcp.tool("wait", { description: "Waits, whatever happens" }, async ({ ms }) => {
  await sleep(Number(ms));
  return "waited";
});
mcp.tool("poll", { description: "Lets the client come back" }, async ({ ms }, context) => {
  (context.info as HttpInfo).poll(20);
  await sleep(Number(ms));
  return "polled";
});
mcp.tool("fail", { description: "Fails" }, () => {
  throw new Error("failed");
});
setInterval(() => mcp.tool("changing", { description: "Comes and goes" }, () => "").remove(), 100).unref();

const listener = nodeListener(mcp, {
  path: "/mcp",
  sessions: { idle: 1500 },
  bodyTimeout: 1000,
  keepAlive: 1000,
  retry: 20,
});
const server = createServer({ keepAliveTimeout: 500 }, listener);
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));

process.on("message", () => {
  for (let i = 0; i < 4; i++) (globalThis as unknown as { gc: () => void }).gc();
  process.send!({ heap: process.memoryUsage().heapUsed, resources: process.getActiveResourcesInfo() });
});
