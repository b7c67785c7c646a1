import { type CallOptions, ClosedError, RpcError } from "@x/jsonrpc";
import { HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY } from "../errors.ts";
import { isHandshakeRefusal } from "../http/speaks.ts";
import { type LifecycleName, revisionsOf } from "../revisions/index.ts";
import { VersionError } from "./errors.ts";
import type { Agreement, Link } from "./lifecycle.ts";
import { unlessSilent } from "./silence.ts";
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
 * it answers to `server/discover`; any other answer, and silence, means a handshake, whose code is loaded then.
 */
export async function negotiate(link: Link, options: NegotiateOptions): Promise<Agreement> {
  const { hedge = 500, lifecycle, ...call } = options;
  const speaks = (name: LifecycleName): boolean =>
    lifecycle !== other(name) && revisionsOf(name, link.revisions).length > 0;
  if (!speaks("stateless")) return await (await import("./handshake.ts")).handshake.open(link, call);
  if (!speaks("handshake")) return await stateless.open(link, call);
  const probe = new AbortController();
  const giveUp = (): void => probe.abort(call.signal?.reason);
  call.signal?.addEventListener("abort", giveUp);
  if (call.signal?.aborted) giveUp();
  try {
    return await findOut(link, call, hedge, probe);
  } finally {
    call.signal?.removeEventListener("abort", giveUp);
  }
}

async function findOut(link: Link, call: CallOptions, hedge: number, probe: AbortController): Promise<Agreement> {
  const settled = stateless
    .open(link, { ...call, signal: probe.signal })
    .catch((error: unknown) => verdict(error, link));
  const known = await unlessSilent(settled, hedge);
  if (typeof known === "object") return known;
  const { fallBack } = await import("./fallback.ts");
  return await fallBack(link, call, {
    settled,
    hedge,
    end: () => probe.abort(new Error("The server was met by a handshake")),
  });
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
  const isOld = RpcError.is(error) ? !MODERN.has(error.code) : isHandshakeRefusal(error);
  return isOld ? "handshake" : Promise.reject(error);
}

/** Only servers that need no handshake have these errors: they mean that the probe itself is at fault. */
const MODERN: ReadonlySet<number> = new Set([HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY]);
