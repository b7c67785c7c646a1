import type { StreamableOptions } from "./options.ts";
import { Plain } from "./plain.ts";
import type { PlainServer, ProtocolServer } from "./protocol.ts";
import type { Resource } from "./resource.ts";
import { Site } from "./site.ts";
import { Streamable } from "./streamable.ts";

/** A server as an endpoint serves it; a promise while it loads what HTTP alone needs. */
export function resourceFor(
  server: PlainServer | ProtocolServer,
  options: StreamableOptions,
): Resource | Promise<Resource> {
  return "http" in server ? streamable(server, options) : new Plain(server);
}

async function streamable(server: ProtocolServer, options: StreamableOptions): Promise<Resource> {
  const site = new Site(server, await server.http(), options);
  const old = options.oldClients ? await import("./old-clients.ts") : undefined;
  return new Streamable(site, options, old && new old.OldClients(site));
}
