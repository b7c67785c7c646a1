/** The keys of `_meta` that the protocol reserves (basic/index, "_meta"). */
const PREFIX = "io.modelcontextprotocol/";

export const PROTOCOL_VERSION: `${typeof PREFIX}protocolVersion` = `${PREFIX}protocolVersion`;
export const CLIENT_INFO: `${typeof PREFIX}clientInfo` = `${PREFIX}clientInfo`;
export const CLIENT_CAPABILITIES: `${typeof PREFIX}clientCapabilities` = `${PREFIX}clientCapabilities`;
export const SERVER_INFO: `${typeof PREFIX}serverInfo` = `${PREFIX}serverInfo`;
export const LOG_LEVEL: `${typeof PREFIX}logLevel` = `${PREFIX}logLevel`;
export const SUBSCRIPTION_ID: `${typeof PREFIX}subscriptionId` = `${PREFIX}subscriptionId`;

/** Metadata of a request, a notification, a result or a part of one. Unknown keys are passed on untouched. */
export type Meta = { readonly [key: string]: unknown };

/** The `_meta` of untrusted params or results; undefined where there is none. */
export function metaOf(params: unknown): Meta | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { _meta } = params as { _meta?: unknown };
  return typeof _meta === "object" && _meta !== null ? (_meta as Meta) : undefined;
}
