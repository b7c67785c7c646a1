import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { type Client, connect } from "@x/mcp/client";
import { command } from "@x/transport-stdio";

/** Our client, connected to a published server that it has started. Whatever the connection reports fails the test. */
export async function connectTo(t: TestContext, program: string, ...args: string[]): Promise<Client> {
  const client = await connect(
    () => command(process.execPath, [fileURLToPath(program), ...args]),
    { name: "visitor", version: "1.0.0" },
    { onError: (error) => t.after(() => Promise.reject(error)) },
  );
  t.after(() => client.close());
  return client;
}
