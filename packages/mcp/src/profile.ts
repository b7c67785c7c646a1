import type { CancelProfile, Id, Params, Profile, ProgressProfile, Request } from "@x/jsonrpc";
import { metaOf } from "./model/meta.ts";

const cancel: CancelProfile = {
  method: "notifications/cancelled",
  except: ["initialize"],
  params: (requestId, reason) => (reason === undefined ? { requestId } : { requestId, reason }),
  id: (params) => idAt(params, "requestId"),
  reason: (params) => {
    const { reason } = (params ?? {}) as { reason?: unknown };
    return typeof reason === "string" ? reason : undefined;
  },
};

const progress: ProgressProfile = {
  method: "notifications/progress",
  attach: (params, progressToken) => ({ ...(params as object), _meta: { ...metaOf(params), progressToken } }),
  token: (params) => idAt(params, "progressToken"),
};

function idAt(params: Params | undefined, key: "requestId" | "progressToken"): Id | undefined {
  const id = (params as { readonly [name: string]: unknown } | undefined)?.[key];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** Why a request is refused: ids are strings or integers and parameters an object (basic/index, "Requests"). */
export function refuse({ id, params }: Request): string | undefined {
  if (id === null || (typeof id === "number" && !Number.isInteger(id))) return '"id" must be a string or an integer';
  return Array.isArray(params) ? '"params" must be an object' : undefined;
}

/** MCP's way of using JSON-RPC. `batches` is asked for each batch, since it depends on the revision in force. */
export function mcpProfile(batches: () => boolean): Profile {
  return new McpProfile(batches);
}

// A class, since an object literal with a getter takes longer to make than the rest of a connection's profile and peer.
class McpProfile implements Profile {
  readonly freshIds = true;
  readonly refuse = refuse;
  readonly cancel: CancelProfile = cancel;
  readonly progress: ProgressProfile = progress;
  readonly #batches: () => boolean;

  constructor(batches: () => boolean) {
    this.#batches = batches;
  }

  get batches(): boolean {
    return this.#batches();
  }
}
