import type { LifecycleName, Revision } from "../revisions/index.ts";

/** What is particular to one revision where it is spoken over HTTP (basic/transports). */
interface HttpFacts {
  /** Does `MCP-Protocol-Version` come with every request after the handshake? */
  readonly versioned: boolean;
  /** Does an event stream begin with an event that only has an id, and may the client be told to come back for the rest? */
  readonly polling: boolean;
  /**
   * Set where `Mcp-Method` mirrors the method, `Mcp-Name` the parameter that this names for a method, and
   * `Mcp-Param-…` what a tool's schema marks.
   */
  readonly mirrored?: { readonly [method: string]: string };
}

const NEWEST: { readonly [L in LifecycleName]: HttpFacts } = {
  handshake: { versioned: true, polling: true },
  stateless: {
    versioned: true,
    polling: false,
    mirrored: {
      "tools/call": "name",
      "prompts/get": "name",
      "resources/read": "uri",
      "tasks/get": "taskId",
      "tasks/update": "taskId",
      "tasks/cancel": "taskId",
    },
  },
};

const OLDER: { readonly [version: string]: HttpFacts } = {
  "2024-11-05": { versioned: false, polling: false },
  "2025-03-26": { versioned: false, polling: false },
  "2025-06-18": { versioned: true, polling: false },
};

/** What is not older is as the newest of its lifecycle, until it has a row of its own. */
export const httpFacts = ({ version, lifecycle }: Revision): HttpFacts => OLDER[version] ?? NEWEST[lifecycle];
