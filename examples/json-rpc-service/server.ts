// Serves the shop over stdin and stdout, or to any number of customers over TCP: node server.ts [--port 4000]
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { parseArgs } from "node:util";
import type { LogRecord } from "@x/jsonrpc/middleware";
import { serveStdio, streamTransport } from "@x/transport-stdio";
import { ShopServer } from "./shop.ts";

const { port } = parseArgs({ options: { port: { type: "string" } } }).values;

// stdout is for messages.
const write = (record: LogRecord): void => console.error(JSON.stringify(record));
const shop = new ShopServer({ debug: write, info: write, warn: write, error: write });

if (port === undefined) await serveStdio(shop);
else await serveTcp(Number(port));

async function serveTcp(number: number): Promise<void> {
  const server = createServer((socket) => {
    shop.connect(streamTransport(socket, socket));
  });
  server.listen(number, "127.0.0.1");
  await once(server, "listening");
  console.error(`listening on 127.0.0.1:${(server.address() as AddressInfo).port}`);

  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  server.close();
  await Promise.all([...shop.customers].map((customer) => customer.close(new Error("The shop closes"))));
}
