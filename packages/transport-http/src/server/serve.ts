import type { StreamableOptions } from "./options.ts";
import { Plain } from "./plain.ts";
import type { PlainServer, ProtocolServer } from "./protocol.ts";
import type { Resource } from "./resource.ts";
import { Streamable } from "./streamable.ts";

/** A server as an endpoint serves it. */
export function resourceFor(server: PlainServer | ProtocolServer, options: StreamableOptions): Resource {
  return "http" in server ? new Streamable(server, options) : new Plain(server);
}
