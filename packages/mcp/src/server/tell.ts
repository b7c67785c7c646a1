import type { Report } from "@x/jsonrpc";

/** Tells a user's hook of a handler's error that clients hear of as well. */
export function tell(onError: Report | undefined, error: unknown): void {
  try {
    onError?.(error, "handler");
  } catch (fault) {
    console.error(fault);
  }
}
