import { type Context, INVALID_PARAMS, INVALID_REQUEST, RpcError } from "@x/jsonrpc";
import { unsupportedVersion } from "../errors.ts";
import type { Implementation } from "../model/implementation.ts";
import { isLogLevel } from "../model/logging.ts";
import { PROTOCOL_VERSION } from "../model/meta.ts";
import { downTo } from "../revisions/down.ts";
import { type Revision, revisionsOf } from "../revisions/index.ts";
import type { Call, Connection, Lifecycle } from "./contract.ts";
import { expected } from "./expected.ts";
import { unknownLevel } from "./log.ts";
import { servedBy } from "./served.ts";
import type { ClientFacts } from "./client-facts.ts";

/** It claims whatever request it is given. */
export interface Handshake extends Lifecycle {
  accept(request: Context, session: Connection): ClientFacts;
}

/** 2024-11-05 to 2025-11-25: `initialize`, then `notifications/initialized`, then everything else (basic/lifecycle). */
export const handshake: Handshake = {
  name: "handshake",
  methods: new Map([
    ["initialize", initialize],
    ["ping", () => ({})],
    ["logging/setLevel", setLevel],
  ]),

  accept(request, session) {
    const { client = newcomer(request, session), initialized, server } = session;
    if (initialized || server.options.lifecycle === "lenient" || isForNewcomers(request)) return client;
    throw beforeInitialized(request);
  },

  async asker(call) {
    const { DirectAsker } = await import("./asking/direct.ts");
    return new DirectAsker(call);
  },

  logLevel: ({ session }) => session.logLevel,

  finish: (result, { client, method }) => downTo(client.revision, method, result),
};

function initialize(call: Call): object {
  const { session, params } = call;
  if (session.client)
    throw new RpcError(INVALID_REQUEST, 'Invalid Request: "initialize" was already answered on this connection');
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") throw expected("a string", 'initialize: "protocolVersion"', protocolVersion);
  if (!isObject(capabilities)) throw expected("an object", 'initialize: "capabilities"', capabilities);
  if (!isObject(clientInfo) || typeof clientInfo["name"] !== "string")
    throw expected("an object with name and version", 'initialize: "clientInfo"', clientInfo);
  const offered = revisionsOf("handshake", servedBy(session.server));
  const revision = (offered.find(({ version }) => version === protocolVersion) ?? offered[0]) as Revision;
  session.client = {
    revision,
    info: clientInfo as unknown as Implementation,
    capabilities,
  };
  const { server } = session;
  return {
    protocolVersion: revision.version,
    capabilities: server.capabilities(revision),
    serverInfo: server.info,
    instructions: server.options.instructions,
  };
}

/** server/utilities/logging */
function setLevel({ session, params: { level } }: Call): object {
  if (!isLogLevel(level)) throw unknownLevel(level);
  session.logLevel = level;
  return {};
}

const isForNewcomers = ({ method }: Context): boolean => method === "initialize" || method === "ping";

/** A client that has not introduced itself may do no more than that. */
function newcomer(request: Context, session: Connection): ClientFacts {
  const [newest] = revisionsOf("handshake", servedBy(session.server));
  if (!newest) throw statelessOnly(request, session);
  if (!isForNewcomers(request)) throw beforeInitialize(request, session);
  return { revision: newest, info: undefined, capabilities: {} };
}

/** basic/versioning: whatever refuses `initialize` names the versions that are served. */
function statelessOnly({ method, params }: Context, { server }: Connection): RpcError {
  const supported = servedBy(server).map(({ version }) => version);
  const { protocolVersion: requested } = (params ?? {}) as { protocolVersion?: unknown };
  if (method === "initialize") return unsupportedVersion(supported, requested);
  return new RpcError(INVALID_PARAMS, `"${method}" came without _meta["${PROTOCOL_VERSION}"]`);
}

function beforeInitialize({ method }: Context, { server }: Connection): RpcError {
  const otherwise = server.stateless.length > 0;
  const hint = otherwise ? `, and without _meta["${PROTOCOL_VERSION}"] to do without it` : "";
  return new RpcError(INVALID_PARAMS, `"${method}" came before "initialize"${hint}`);
}

const beforeInitialized = ({ method }: Context): RpcError =>
  new RpcError(INVALID_REQUEST, `Invalid Request: "${method}" came before "notifications/initialized"`);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
