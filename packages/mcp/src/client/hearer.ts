import type { Report } from "@x/jsonrpc";
import { tell } from "../tell.ts";
import type { Change } from "./subscription.ts";

/** One that hears of changes, made safe: what it throws or rejects with is reported, and the others hear all the same. */
export function hearer(
  onChange: (change: Change) => unknown,
  onError: Report = (error) => console.error(error),
): (change: Change) => Promise<void> {
  return async (change) => {
    try {
      await onChange(change);
    } catch (error) {
      await tell(onError, error);
    }
  };
}
