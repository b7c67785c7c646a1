import { createPeer, implement } from "@x/jsonrpc";
import { type CommandOptions, ServerExited, command, serveStdio, streamTransport } from "@x/transport-stdio";

type Shop = { stock(params: { itemId: string }): number };

// A user without Node's types has to say what of Node is used.
declare const process: { readonly argv: readonly [string, string, ...string[]]; exitCode: number };

const [node, file, role] = process.argv;
const options: CommandOptions = { env: { SHOP: "1" }, stderr: "inherit", shutdown: { end: 1000 } };

if (role === "serve") await serveStdio(implement<Shop>({ stock: ({ itemId }) => itemId.length }));
else await call();

async function call(): Promise<void> {
  const shop = createPeer<Shop>(command(node, [file, "serve"], options));
  const stock = await shop.request("stock", { itemId: "SKU001" });
  await shop.close();
  const reason = await shop.closed;
  const works = stock === 6 && !(reason instanceof ServerExited) && typeof streamTransport === "function";
  if (!works) process.exitCode = 1;
}
