import type { ProofKeys } from "../proof.ts";
import type { Store } from "../store.ts";
import type { Pending } from "./pending.ts";

/** A login that a person has yet to come back from: what a store keeps. */
export interface Login {
  readonly pending: Pending;
  readonly address: string;
  readonly resource: string;
  readonly old: boolean;
  readonly scope?: string | undefined;
  readonly keys?: ProofKeys | undefined;
  /** ms since 1970. */
  readonly begun: number;
}

const KEY = "logins";

/** ms that a person has. */
const LIFE = 10 * 60 * 1000;

/** Logins at once, so that what is never finished doesn't pile up. A page that asks every 6 seconds ends none by that. */
const MAX = 100;

export async function keep(store: Store, login: Login): Promise<void> {
  await store.lock(KEY, async () => {
    await store.set(KEY, [...(await loginsIn(store)).slice(1 - MAX), login]);
  });
}

/** The login that an answer with this state belongs to. */
export async function find(store: Store, state: string | null): Promise<Login | undefined> {
  return (await loginsIn(store)).find(({ pending }) => pending.state === state);
}

/** Takes a login away; false where somebody else has done so. */
export async function take(store: Store, { pending }: Login): Promise<boolean> {
  return await store.lock(KEY, async () => {
    const all = await loginsIn(store);
    const others = all.filter((each) => each.pending.state !== pending.state);
    if (others.length === all.length) return false;
    await store.set(KEY, others.length === 0 ? undefined : others);
    return true;
  });
}

async function loginsIn(store: Store): Promise<readonly Login[]> {
  const stored = await store.get(KEY);
  const all = Array.isArray(stored) ? (stored as readonly (Login | null)[]) : [];
  return all.filter((login): login is Login => login !== null && Date.now() - login.begun < LIFE);
}
