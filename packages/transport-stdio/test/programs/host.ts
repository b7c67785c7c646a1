// A program that starts a server and ends without closing it: its argument says how.
import { createPeer } from "@x/jsonrpc";
import { command } from "@x/transport-stdio";

const [how, program = "", ...args] = process.argv.slice(2);
const transport = command(program, args);
const peer = createPeer(transport);
if (how === "once") process.once("SIGINT", () => console.log("the first SIGINT is mine"));
if (how === "listen") process.on("SIGINT", () => console.log("SIGINT is mine"));
console.log(`server ${transport.pid ?? (await started())}`);

if (how === "exit") process.exit(7);
if (how === "throw") throw new Error("on purpose");
await peer.closed;

async function started(): Promise<number> {
  while (transport.pid === undefined || !transport.stderr.includes("up")) await new Promise((go) => setTimeout(go, 5));
  return transport.pid;
}
