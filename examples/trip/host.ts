// Has a trip planned by the server of this folder: node host.ts [--lifecycle stateless | handshake]
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connect } from "@x/mcp/client";
import { command } from "@x/transport-stdio";
import { traveller } from "./traveller.ts";

const { lifecycle } = parseArgs({ options: { lifecycle: { type: "string", default: "stateless" } } }).values;
if (lifecycle !== "stateless" && lifecycle !== "handshake")
  throw new TypeError(`--lifecycle must be stateless or handshake, got ${lifecycle}`);

const server = fileURLToPath(new URL("server.ts", import.meta.url));
const say = (line: string): void => console.log(line);
const client = await connect(
  command(process.execPath, [...process.execArgv, server]),
  { name: "host", version: "1.0.0" },
  { ...traveller(say), lifecycle },
);
say(`spoken   ${client.revision.version}`);
const { structuredContent } = await client.callTool(
  "planTrip",
  { city: "Lisbon" },
  {
    onProgress: ({ progress, total, message }) => say(`progress ${progress} of ${total}: ${message}`),
  },
);
say(`trip     ${JSON.stringify(structuredContent)}`);
await client.close();
