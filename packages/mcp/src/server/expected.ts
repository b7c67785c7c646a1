import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";

/** Why parameters are refused: what was expected where, and what came. */
export const expected = (what: string, where: string, got: unknown): RpcError =>
  new RpcError(INVALID_PARAMS, `${where} must be ${what}, got ${got === undefined ? "nothing" : JSON.stringify(got)}`);
