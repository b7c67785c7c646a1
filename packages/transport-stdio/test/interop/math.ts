import { RpcError, implement } from "@x/jsonrpc";

/** What both sides offer, whichever library they are. */
export type Math = {
  subtract(params: readonly [number, number] | { minuend: number; subtrahend: number }): number;
  fail(): never;
  /** How many notifications have come. */
  noted(): number;
  note(): void;
};

/** Our side. */
export function math(): ReturnType<typeof implement> {
  let noted = 0;
  return implement<Math>({
    subtract: (params) => ("minuend" in params ? params.minuend - params.subtrahend : params[0] - params[1]),
    fail() {
      throw new RpcError(1001, "taken", { until: "15:00" });
    },
    noted: () => noted,
    note: () => void noted++,
  });
}
