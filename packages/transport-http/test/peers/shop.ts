import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@x/mcp/server";
import { type HttpInfo, type StreamableOptions, nodeListener } from "../../src/index.ts";
import { listening } from "../serve.ts";

/** A server of ours with everything that official clients are to meet over HTTP. */
export interface Shop {
  readonly url: string;
  readonly server: McpServer;
  /** Reasons why the tool "wait" was aborted. */
  readonly aborted: unknown[];
}

export async function shop(t: TestContext, options?: StreamableOptions): Promise<Shop> {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const aborted: unknown[] = [];
  server.tool(
    "price",
    {
      description: "Price of an item",
      input: { type: "object", properties: { item: { type: "string", "x-mcp-header": "Item" } }, required: ["item"] },
    },
    ({ item }) => `${String(item)} costs 7`,
  );
  server.tool("count", { description: "Counts to three" }, async (_args, context) => {
    for (const n of [1, 2, 3]) {
      context.progress(n, 3);
      await sleep(5);
    }
    return "counted";
  });
  server.tool("wait", { description: "Waits until it is cancelled" }, (_args, { signal }) => {
    return new Promise<string>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push(signal.reason);
        reject(signal.reason as Error);
      });
    });
  });
  server.tool("order", { description: "Asks how many" }, async (_args, context) => {
    const schema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    const answer = await context.elicit("count", { message: "How many?", schema });
    return answer.accepted ? `ordered ${String((answer.content as { count?: unknown }).count)}` : "not ordered";
  });
  server.tool("slow", { description: "Lets the client come back" }, async (_args, context) => {
    await sleep(10);
    const left = (context.info as HttpInfo).poll(50);
    await sleep(30);
    return left ? "came back" : "stayed";
  });
  server.tool("grow", { description: "Adds a tool" }, () => {
    server.tool("grown", { description: "New" }, () => "new");
    return "grown";
  });
  server.tool("fail", { description: "Fails" }, () => {
    throw new Error("out of stock");
  });
  const port = await listening(t, nodeListener(server, { path: "/mcp", retry: 50, ...options }));
  return { url: `http://localhost:${port}/mcp`, server, aborted };
}
