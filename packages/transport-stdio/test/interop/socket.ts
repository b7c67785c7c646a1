import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, connect, createServer } from "node:net";
import { RpcError, implement } from "@x/jsonrpc";

/** What both sides offer, whichever library they are. */
export type Math = {
  subtract(params: readonly [number, number] | { minuend: number; subtrahend: number }): number;
  fail(): never;
  /** How many notifications have come. */
  noted(): number;
  note(): void;
};

/** Our side. */
export function math(): ReturnType<typeof implement> {
  let noted = 0;
  return implement<Math>({
    subtract: (params) => ("minuend" in params ? params.minuend - params.subtrahend : params[0] - params[1]),
    fail() {
      throw new RpcError(1001, "taken", { until: "15:00" });
    },
    noted: () => noted,
    note: () => void noted++,
  });
}

/** Two ends of a TCP connection. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const server = createServer();
  const port = await listening(server);
  const client = connect(port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  server.close();
  return [client, accepted];
}

export async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
