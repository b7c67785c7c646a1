import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";

/** Listens on a free port, or on the path of a Unix socket. Gives what `connect` takes. */
export async function listening(server: Server, path?: string): Promise<number> {
  server.listen(path ?? { port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return path === undefined ? (server.address() as AddressInfo).port : 0;
}

/** Two ends of one connection: over TCP, or over a Unix socket at `path`. */
export async function socketPair(path?: string): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true });
  const port = await listening(server, path);
  const client = connect(path === undefined ? { port, allowHalfOpen: true } : { path, allowHalfOpen: true });
  const [accepted] = (await once(server, "connection")) as [Socket];
  server.close();
  return [client, accepted];
}
