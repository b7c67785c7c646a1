import { RpcError } from "@x/jsonrpc";
import { UNSUPPORTED_PROTOCOL_VERSION } from "../errors.ts";
import type { Implementation } from "../model/implementation.ts";
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  LOG_LEVEL,
  type Meta,
  PROTOCOL_VERSION,
  SERVER_INFO,
  metaOf,
} from "../model/meta.ts";
import { type Revision, revisionsOf } from "../revisions/index.ts";
import { VersionError } from "./errors.ts";
import type { Agreement, Lifecycle, Link } from "./lifecycle.ts";

/** 2026-07-28: `server/discover`, and the terms again in each request's `_meta` (basic/versioning). */
export const stateless: Lifecycle = {
  name: "stateless",

  async open(link, options) {
    const [newest] = revisionsOf("stateless", link.revisions);
    if (!newest) throw new VersionError("This client speaks no stateless revision", []);
    try {
      return await discover(link, newest, options);
    } catch (error) {
      return await discover(link, shared(link, supportedBy(error), error), options);
    }
  },

  outgoing: (params, link, revision) => ({ ...params, _meta: metaFor(metaOf(params), link, revision) }),

  async ping(link, revision, options) {
    await link.request("server/discover", { _meta: metaFor(undefined, link, revision) }, options);
  },

  // Servers ask for the roots whenever they need them.
  rootsChanged: async () => {},

  async setLogLevel(level, link) {
    link.logLevel = level;
    link.meta = undefined;
  },
};

/** Requests without metadata of their own share one object: making it anew is a third of what a call costs here. */
function metaFor(own: Meta | undefined, link: Link, revision: Revision): Meta {
  if (!own && link.meta?.[PROTOCOL_VERSION] === revision.version) return link.meta;
  const meta = { ...(link.logLevel && { [LOG_LEVEL]: link.logLevel }), ...own, ...terms(link, revision) };
  if (!own) link.meta = meta;
  return meta;
}

async function discover(link: Link, revision: Revision, options: object): Promise<Agreement> {
  const answer = await link.request("server/discover", { _meta: terms(link, revision) }, options);
  const { supportedVersions, capabilities, instructions, _meta } = (answer ?? {}) as Record<string, unknown>;
  if (!Array.isArray(supportedVersions)) throw new RpcError(0, "server/discover answered without supportedVersions");
  return {
    revision: supportedVersions.includes(revision.version) ? revision : shared(link, supportedVersions),
    lifecycle: stateless,
    server: metaOf({ _meta })?.[SERVER_INFO] as Implementation | undefined,
    capabilities: capabilities ?? {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

const terms = ({ info, capabilities }: Link, { version }: Revision): Meta => ({
  [PROTOCOL_VERSION]: version,
  [CLIENT_INFO]: info,
  [CLIENT_CAPABILITIES]: capabilities,
});

/** The versions that a server names when it refuses one. */
function supportedBy(error: unknown): readonly unknown[] | undefined {
  if (!RpcError.is(error) || error.code !== UNSUPPORTED_PROTOCOL_VERSION) return undefined;
  const { supported } = (error.data ?? {}) as { supported?: unknown };
  return Array.isArray(supported) && supported.length > 0 ? supported : undefined;
}

/** The newest stateless revision that both speak. A server that names only handshake revisions is met by a handshake. */
function shared(link: Link, supported: readonly unknown[] | undefined, otherwise?: unknown): Revision {
  if (!supported) throw otherwise;
  const revision = revisionsOf("stateless", link.revisions).find(({ version }) => supported.includes(version));
  if (revision) return revision;
  throw new VersionError(`The server speaks ${supported.join(", ")}`, supported.map(String));
}
