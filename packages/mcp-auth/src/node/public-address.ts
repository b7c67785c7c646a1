import { lookup } from "node:dns/promises";
import { placeOfAddress } from "../address.ts";

/**
 * For a provider's `check`: rejects for a host with an address that is not public. Programs that fetch what strangers name
 * want it; against names that resolve differently a moment later only a proxy helps.
 */
export async function publicAddress({ hostname }: URL): Promise<void> {
  const name = hostname.replace(/^\[|\]$/g, "");
  for (const { address } of await lookup(name, { all: true })) {
    const place = placeOfAddress(address);
    if (place !== "public") throw new Error(`expected public addresses, got ${address}, which is ${place}`);
  }
}
