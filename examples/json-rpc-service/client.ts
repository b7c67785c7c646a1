// A customer of the shop: node client.ts [--port 4000]. Without a port it starts a shop of its own, over stdio.
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { RpcError, type Transport, implement, layerOf } from "@x/jsonrpc";
import { retry } from "@x/jsonrpc/middleware";
import { command, streamTransport } from "@x/transport-stdio";
import { type Customer, NotApproved, type Shop, SoldOut } from "./contract.ts";

const { port } = parseArgs({ options: { port: { type: "string" } } }).values;

// What the shop asks and tells us, in the middle of our own calls.
const customer = implement<Customer>({
  approve: ({ itemId, price }) => {
    console.log(`  the shop asks: ${itemId} for ${price}?`);
    return price < 250;
  },
  stockChanged: ({ itemId, left }) => console.log(`  the shop says: ${left} of ${itemId} are left`),
});

const shop = customer
  .connect<Shop>(port === undefined ? overStdio() : overTcp(Number(port)), { errors: [SoldOut, NotApproved] })
  .use(retry({ methods: ["queryStock", "queryPrice", "order"] }));

console.log(`SKU001 in stock: ${await shop.request("queryStock", { itemId: "SKU001" })}`);

const [stock, price] = await shop.batch((batch) => [
  batch.request("queryStock", { itemId: "SKU002" }),
  batch.request("queryPrice", { itemId: "SKU002", count: 2 }),
]);
console.log(`SKU002 in stock: ${stock}; two cost ${price}`);

const order = { orderId: randomUUID(), itemId: "SKU002", count: 2 };
console.log("ordered:", await shop.request("order", order));
console.log("the same order again, as after a lost answer:", await shop.request("order", order));

console.log("two more:", await attempt({ ...order, orderId: randomUUID() }));
console.log("five more:", await attempt({ ...order, orderId: randomUUID(), count: 5 }));
console.log("no number:", await attempt({ ...order, orderId: "mine" }));
console.log("too slow:", await shop.request("takeInventory").catch(textOf));

const enough = new AbortController();
const inventory = shop.request("takeInventory", undefined, { signal: enough.signal });
enough.abort();
console.log("given up:", await inventory.catch(textOf));

await shop.close();

async function attempt(params: { orderId: string; itemId: string; count: number }): Promise<string> {
  try {
    const { left } = await shop.request("order", params);
    return `done, ${left} left`;
  } catch (error) {
    if (error instanceof SoldOut) return `sold out, ${error.data.left} left`;
    return textOf(error);
  }
}

function textOf(error: unknown): string {
  return RpcError.is(error) ? `${layerOf(error.code)} error ${error.code}: ${error.message}` : String(error);
}

function overStdio(): Transport {
  const server = fileURLToPath(new URL("server.ts", import.meta.url));
  return command(process.execPath, [...process.execArgv, server]);
}

function overTcp(number: number): Transport {
  const socket = connect(number, "127.0.0.1");
  return streamTransport(socket, socket);
}
