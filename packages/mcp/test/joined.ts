import { type Peer, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { type Revision, revisions } from "@x/mcp";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";
import type { McpServer } from "@x/mcp/server";

const info = { name: "test", version: "1.0.0" };

/** One revision of each lifecycle, for what has to be the same in both. */
export const both = ["2026-07-28", "2025-11-25"] as const;

export type Version = (typeof revisions)[number]["version"];

const only = (version: string): Revision[] => revisions.filter((revision) => revision.version === version);

/** A client of one revision, joined to a server in memory. */
export async function joined(server: McpServer, version: Version, options: ConnectOptions = {}): Promise<Client> {
  const [near, far] = memoryPair();
  server.connect(far, { onError: () => {} });
  return await connect(near, info, { revisions: only(version), ...options });
}

type Params = { readonly [name: string]: unknown };
type Answer = (params: Params, method: string) => unknown;

/** A server that answers what it is told to, right or wrong. */
export interface Scripted {
  readonly client: Client;
  /** What came in, in order. */
  readonly asked: { readonly method: string; readonly params: Params }[];
  readonly peer: Peer;
}

/** Joins a client to answers by method. What is missing gets -32601. */
export async function scripted(
  version: Version,
  capabilities: object,
  answers: { readonly [method: string]: Answer },
  options: ConnectOptions = {},
): Promise<Scripted> {
  const [near, far] = memoryPair();
  const asked: Scripted["asked"] = [];
  const every: { readonly [method: string]: Answer } = {
    initialize: () => ({ protocolVersion: version, capabilities, serverInfo: info }),
    "notifications/initialized": () => undefined,
    "server/discover": () => ({ supportedVersions: [version], capabilities }),
    ...answers,
  };
  const handlers = Object.entries(every).map(([method, answer]) => [
    method,
    (params: Params = {}) => {
      asked.push({ method, params });
      return answer(params, method);
    },
  ]);
  const peer = createPeer(far, { service: implement(Object.fromEntries(handlers)), onError: () => {} });
  const client = await connect(near, info, { revisions: only(version), ...options });
  asked.length = 0;
  return { client, asked, peer };
}

/** Lets messages that are on their way arrive: 5 ms, and many turns of the event loop however busy the machine is. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

/** Waits for what is sure to come, however busy the machine is. Rejects after ten seconds. */
export async function until(comes: () => unknown): Promise<void> {
  for (const start = performance.now(); !(await comes()); await settle())
    if (performance.now() - start > 10_000) throw new Error(`It never came: ${String(comes)}`);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
