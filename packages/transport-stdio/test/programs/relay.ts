// Carries messages between its stdin and stdout and a socket: `relay PORT FRAMING`.
import { connect } from "node:net";
import type { Batch, Message, Transport } from "@x/jsonrpc";
import { contentLength, newline } from "@x/jsonrpc/framing";
import { stdio, streamTransport } from "@x/transport-stdio";

const [port, framing] = process.argv.slice(2);
const socket = connect(Number(port), "127.0.0.1");
const near = stdio({ framing: framing === "content-length" ? contentLength : newline });
const far = streamTransport(socket, socket);

async function carry(from: Transport, to: Transport): Promise<void> {
  try {
    await from.open((message) => void to.send(message as Message | Batch));
  } finally {
    await to.close();
  }
}

await Promise.allSettled([carry(near, far), carry(far, near)]);
// The other end of the socket closes when this program has ended.
process.exit();
