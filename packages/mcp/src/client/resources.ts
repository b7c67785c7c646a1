import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { RESOURCE_NOT_FOUND } from "../errors.ts";
import type { ReadResourceResult } from "../model/resources.ts";
import { ResourceNotFoundError } from "./errors.ts";
import type { Reads } from "./reads.ts";
import { type ReadOptions, type Requester, need, resultIn } from "./requester.ts";

/** resources/read */
export async function readResource(
  server: Requester,
  reads: Reads,
  uri: string,
  options?: ReadOptions,
): Promise<ReadResourceResult> {
  need(server, "resources", "resources/read");
  let asked = false;
  try {
    const result = await reads.read("resources/read", uri, { uri }, options, () => (asked = true));
    return resultIn(result, "resources/read") as ReadResourceResult;
  } catch (error) {
    if (!RpcError.is(error)) throw error;
    // Before anything was asked the URI is the only parameter: one that is refused isn't there.
    const missing = error.code === RESOURCE_NOT_FOUND || (error.code === INVALID_PARAMS && !asked);
    throw missing ? new ResourceNotFoundError(uri, error) : error;
  }
}
