import type { Report } from "@x/jsonrpc";

/** Tells a user's hook, which may be asynchronous, of an error that nobody else hears of; what it throws itself breaks nothing. */
export async function tell(onError: Report | undefined, error: unknown): Promise<void> {
  try {
    await (onError?.(error, "handler") as unknown);
  } catch (fault) {
    console.error(fault);
  }
}
