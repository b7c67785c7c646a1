import type { CallOptions } from "@x/jsonrpc";
import { handshake } from "./handshake.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { unlessSilent } from "./silence.ts";

/** A question that only stateless servers answer, on its way or refused. */
interface Probe {
  /** "handshake" where the server has refused it as servers do that need one. */
  readonly settled: Promise<Agreement | "handshake">;
  /** ms that it is waited for where `initialize` is refused. */
  readonly hedge: number;
  /** Gives it up. */
  readonly end: () => void;
}

/**
 * Meets a server that has refused the probe, or is silent. This is loaded only then, so that the server may have said
 * something meanwhile: it counts as if it had been in time.
 */
export async function fallBack(link: Link, call: CallOptions, { settled, hedge, end }: Probe): Promise<Agreement> {
  const known = await unlessSilent(settled, 0);
  if (typeof known === "object") return known;
  const opened = handshake.open(link, call);
  if (known === "handshake") return await opened;
  // Both questions are out: the server is slow to start, or ignores the probe. `initialize` decides where it is answered,
  // since from then on a server that speaks both ways holds the connection to the handshake.
  try {
    const agreement = await opened;
    // After `initialized`, which goes out in this turn.
    setTimeout(end);
    return agreement;
  } catch (error) {
    const late = await unlessSilent(settled, hedge);
    if (typeof late === "object") return late;
    throw error;
  }
}
