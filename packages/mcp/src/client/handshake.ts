import type { Implementation } from "../model/implementation.ts";
import { revisionsOf } from "../revisions/index.ts";
import { VersionError } from "./errors.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { need } from "./requester.ts";

/** 2024-11-05 to 2025-11-25: `initialize`, then `notifications/initialized` (basic/lifecycle). */
export const handshake: Lifecycle = {
  name: "handshake",

  async open(link, options) {
    const offered = revisionsOf("handshake", link.revisions);
    const [newest] = offered;
    if (!newest) throw new VersionError("This client speaks no revision that starts with initialize", []);
    const { info: clientInfo } = link;
    const { roots } = link.capabilities;
    const capabilities = { ...link.capabilities, ...(roots && { roots: { listChanged: true } }) };
    const answer = await link.request(
      "initialize",
      { protocolVersion: newest.version, capabilities, clientInfo },
      options,
    );
    const {
      protocolVersion,
      capabilities: offers,
      serverInfo,
      instructions,
    } = (answer ?? {}) as Record<string, unknown>;
    const revision = offered.find(({ version }) => version === protocolVersion);
    if (!revision)
      throw new VersionError(
        `The server answered initialize with version ${JSON.stringify(protocolVersion)}; this client speaks ${offered.map(({ version }) => version).join(", ")}`,
        [String(protocolVersion)],
      );
    return {
      revision,
      lifecycle: handshake,
      server: serverInfo as Implementation | undefined,
      capabilities: offers ?? {},
      instructions: typeof instructions === "string" ? instructions : undefined,
    };
  },

  begin: (link) => link.notify("notifications/initialized"),

  outgoing: (params) => params,

  async ping(link, _revision, options) {
    await link.request("ping", {}, options);
  },

  rootsChanged: (link) => link.notify("notifications/roots/list_changed"),

  async setLogLevel(level, link, agreement) {
    need(agreement, "logging", "logging/setLevel");
    await link.request("logging/setLevel", { level });
    link.logLevel = level;
  },
};
