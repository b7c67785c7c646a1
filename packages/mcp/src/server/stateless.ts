import { unsupportedVersion } from "../errors.ts";
import type { Implementation } from "../model/implementation.ts";
import { type LogLevel, isLogLevel } from "../model/logging.ts";
import { CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION, metaOf } from "../model/meta.ts";
import type { Revision } from "../revisions/index.ts";
import { ASKING } from "./asking/asker.ts";
import type { Call, Lifecycle, ServerCore } from "./contract.ts";
import { expected } from "./expected.ts";
import { unknownLevel } from "./log.ts";

/** 2026-07-28: each request says in `_meta` who asks and in which version (basic/index, "Per-request metadata"). */
export const stateless: Lifecycle = {
  name: "stateless",
  methods: new Map([["server/discover", discover]]),

  accept(request, { server }) {
    const meta = metaOf(request.params);
    const version = meta?.[PROTOCOL_VERSION];
    if (!meta || version === undefined) return undefined;
    if (typeof version !== "string") throw expected("a string", `_meta["${PROTOCOL_VERSION}"]`, version);
    const capabilities = meta[CLIENT_CAPABILITIES];
    if (typeof capabilities !== "object" || capabilities === null)
      throw expected("an object", `_meta["${CLIENT_CAPABILITIES}"]`, capabilities);
    const level = meta[LOG_LEVEL];
    if (level !== undefined && !isLogLevel(level)) throw unknownLevel(level);
    const revision = revisionNamed(version, server);
    return revision && { revision, info: meta[CLIENT_INFO] as Implementation | undefined, capabilities };
  },

  async asker(call) {
    const { ReplayAsker } = await import("./asking/replay.ts");
    const asker = new ReplayAsker(call);
    await asker.restore();
    return asker;
  },

  prepare(call) {
    const { inputResponses, requestState } = call.params;
    if ((inputResponses === undefined && requestState === undefined) || !ASKING.has(call.method)) return undefined;
    return call.asker().then(() => {});
  },

  logLevel: ({ meta }) => meta?.[LOG_LEVEL] as LogLevel | undefined,

  finish(result, { session }) {
    const { _meta } = result as { _meta?: object };
    return {
      resultType: "complete",
      ...result,
      _meta: _meta ? { ...session.server.resultMeta, ..._meta } : session.server.resultMeta,
    };
  },
};

/** Undefined where there is none to name. A loop, since every request passes here. */
function revisionNamed(version: string, server: ServerCore): Revision | undefined {
  for (const revision of server.stateless) if (revision.version === version) return revision;
  if (server.stateless.length === 0) return undefined;
  throw unsupportedVersion(versionsOf(server), version);
}

const versionsOf = (server: ServerCore): string[] => server.stateless.map(({ version }) => version);

function discover({ session: { server }, client }: Call): object {
  return {
    supportedVersions: versionsOf(server),
    capabilities: server.capabilities(client.revision),
    instructions: server.options.instructions,
    ...server.hints,
  };
}
