import { ClosedError, type CallOptions, RpcError } from "@x/jsonrpc";
import { isHandshakeRefusal } from "../http/client.ts";
import { type LifecycleName, revisionsOf } from "../revisions/index.ts";
import { VersionError } from "./errors.ts";
import { handshake } from "./handshake.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { stateless } from "./stateless.ts";

export interface NegotiateOptions extends CallOptions {
  /** How the server is met, where that is known (default: found out, stateless first). */
  readonly lifecycle?: LifecycleName | undefined;
  /** ms of silence after which the handshake is tried beside the stateless probe (default 500). */
  readonly hedge?: number | undefined;
}

/** The probe ended the connection: the server is to be met by a handshake, on a new one. */
export class ProbeEndedConnection extends Error {}

/**
 * Settles how both sides speak (basic/versioning, "Backward compatibility"): a stateless server is recognised by what
 * it answers to `server/discover`; any other answer, and silence, means a handshake.
 */
export async function negotiate(link: Link, options: NegotiateOptions): Promise<Agreement> {
  const { hedge = 500, lifecycle, ...call } = options;
  const speaks = (name: LifecycleName): boolean =>
    lifecycle !== other(name) && revisionsOf(name, link.revisions).length > 0;
  if (!speaks("stateless")) return await handshake.open(link, call);
  const probe = stateless.open(link, call);
  if (!speaks("handshake")) return await probe;
  const settled = probe.then(
    (agreement) => agreement,
    (error: unknown) => verdict(error, link),
  );
  switch (await unlessSilent(settled, hedge)) {
    case "silence":
      return await decided(handshake.open(link, call), settled, hedge);
    case "handshake":
      return await handshake.open(link, call);
    default:
      return await probe;
  }
}

/**
 * Both questions are out: the server is slow to start, or ignores the probe. `initialize` decides where it is answered,
 * since from then on a server that speaks both ways holds the connection to the handshake.
 */
async function decided(
  opened: Promise<Agreement>,
  settled: Promise<Agreement | "handshake">,
  hedge: number,
): Promise<Agreement> {
  try {
    return await opened;
  } catch (error) {
    const probed = await unlessSilent(settled, hedge);
    if (typeof probed === "string") throw error;
    return probed;
  }
}

const other = (name: LifecycleName): LifecycleName => (name === "stateless" ? "handshake" : "stateless");

/** What a failed probe says of the server; rejects where it says that there is no way. */
function verdict(error: unknown, link: Link): "handshake" | Promise<never> {
  if (error instanceof ClosedError)
    return Promise.reject(new ProbeEndedConnection("The probe ended the connection", { cause: error }));
  if (error instanceof VersionError) {
    const spoken = revisionsOf("handshake", link.revisions).some(({ version }) => error.supported.includes(version));
    return spoken ? "handshake" : Promise.reject(error);
  }
  return RpcError.is(error) || isHandshakeRefusal(error) ? "handshake" : Promise.reject(error);
}

function unlessSilent<T>(answer: Promise<T>, ms: number): Promise<T | "silence"> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve("silence"), ms);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
