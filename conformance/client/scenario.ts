import { type Revision, revisions } from "@x/mcp";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";
import { http } from "@x/transport-http";

/** What the suite says when it starts a client: see its README, "Testing Clients". */
export interface Stage {
  readonly url: string;
  readonly scenario: string;
  /** The protocol version to speak. */
  readonly version: string;
  /** What the scenario needs to be told. */
  readonly context: { readonly [name: string]: unknown };
}

/** What a client does in a scenario. Rejects where it refuses to go on. */
export type Scenario = (stage: Stage) => Promise<void>;

/** Scenarios by name. */
export type Scenarios = { readonly [name: string]: Scenario };

/** Connects, does what is to be done, and closes. */
export const connected =
  (use: (client: Client, stage: Stage) => Promise<void>, options: ConnectOptions = {}): Scenario =>
  async (stage) => {
    const info = { name: "conformance-client", version: "1.0.0" };
    const client = await connect(http(stage.url), info, { revisions: spoken(stage.version), ...options });
    try {
      await use(client, stage);
    } finally {
      await client.close();
    }
  };

function spoken(version: string): readonly Revision[] {
  const found = revisions.filter((revision) => revision.version === version);
  if (found.length === 0) throw new Error(`Expected a version of the protocol, got ${JSON.stringify(version)}`);
  return found;
}

/** Reads an iterable to its end. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
