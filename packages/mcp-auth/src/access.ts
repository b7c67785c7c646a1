import { Asked } from "./asked.ts";
import { Authorizer } from "./authorizer.ts";
import { type Challenge, UNASKED } from "./challenge.ts";
import type { Whereabouts } from "./discovery/whereabouts.ts";
import { AuthError, LoginRequired, quote } from "./error.ts";
import type { Fetch } from "./fetch.ts";
import { Flights } from "./flights.ts";
import { type Grant, isDue } from "./grant.ts";
import { Grants } from "./grants.ts";
import { without } from "./oauth-error.ts";
import type { Outside } from "./outside.ts";
import { Pause } from "./pause.ts";
import type { Proof } from "./proof.ts";
import { type Provider, outsideOf } from "./provider.ts";
import { unite } from "./scope.ts";
import type { Store } from "./store.ts";

/** A request that a server refused. */
export interface Refused {
  readonly server: URL;
  /** With what it was sent. */
  readonly grant: Grant | undefined;
  readonly challenge: Challenge;
  readonly signal?: AbortSignal | null | undefined;
}

/** A grant, and how it was come by: somebody else had it already, or it was refreshed, or issued anew. */
export interface Renewal {
  readonly grant: Grant;
  readonly how: "found" | "refreshed" | "issued";
}

/** ms after which a renewal ahead of time that failed is tried again. */
const PAUSE = 10_000;

/** Access to the servers at one origin: one renewal at a time, however many requests want it. */
export class Access {
  readonly #outside: Outside;
  readonly #authorizer: Authorizer;
  readonly #grants: Grants;
  readonly #flights = new Flights();
  /** By path. */
  readonly #held = new Map<string, Grant>();
  readonly #asked = new Asked();
  readonly #pause = new Pause();
  /** Whether a person is being asked, which may take minutes: nobody who has a token waits for that. */
  #asking = false;

  constructor(fetch: Fetch, provider: Provider, store: Store, server: URL) {
    this.#outside = outsideOf(provider, server, fetch);
    this.#authorizer = new Authorizer(provider, store, this.#outside);
    this.#grants = new Grants(store, server.origin);
  }

  /** The grant to send a request with, renewed if its end is near; undefined where there is none. */
  async current(server: URL, signal?: AbortSignal | null): Promise<Grant | undefined> {
    const grant = this.#held.get(server.pathname) ?? (await this.#load(server));
    if (!grant || !isDue(grant) || this.#asking || !this.#authorizer.canRenew(grant)) return grant;
    const due = { server, grant, challenge: UNASKED, signal };
    try {
      return (await this.#exclusively("ahead", due, (held, gone) => this.#ahead(server, held, gone))).grant;
    } catch {
      signal?.throwIfAborted();
      return await this.#asBefore(server, grant);
    }
  }

  /** Another grant than one that was refused with 401. With `refresh`, refreshing it will do. */
  renew(refused: Refused, refresh: boolean): Promise<Renewal> {
    const { server, challenge } = refused;
    return this.#exclusively(`renew ${refresh}`, refused, async (held, gone) => {
      const where = await this.#authorizer.whereabouts(server, challenge.resourceMetadata);
      const same = held?.issuer === where.issuer ? held : undefined;
      const renewed = refresh && same?.refreshToken !== undefined ? await this.#refresh(server, same) : undefined;
      return renewed ?? (await this.#issue(refused, where, unite(same?.scope, challenge.scope), gone));
    });
  }

  /**
   * A grant for more than one that was refused with 403: for all scopes that were asked for before and those that are
   * wanted now (authorization, "Step-Up Authorization Flow"). No refresh can bring more.
   */
  widen(refused: Refused): Promise<Renewal> {
    const { server, challenge } = refused;
    return this.#exclusively(`widen ${challenge.scope ?? ""}`, refused, async (held, gone) => {
      const where = await this.#authorizer.whereabouts(server, challenge.resourceMetadata);
      const before = held?.issuer === where.issuer ? held.scope : undefined;
      return await this.#issue(refused, where, unite(before, challenge.scope), gone, true);
    });
  }

  /** A person is there now. */
  attend(): void {
    this.#pause.end();
  }

  /** Whether a server says of itself whose tokens it takes. */
  async isProtected(server: URL): Promise<boolean> {
    return !(await this.#authorizer.whereabouts(server, undefined)).old;
  }

  /** Forgets the grant for a server, and has it declared void. */
  async logOut(server: URL): Promise<void> {
    this.#held.delete(server.pathname);
    const grant = await this.#grants.lock(async () => {
      const found = await this.#grants.find(server);
      if (found) await this.#grants.delete(found);
      return found;
    });
    if (grant) await this.#authorizer.revoke(grant);
  }

  /** For the key that a grant is bound to. */
  proofOf(grant: Grant): Promise<Proof | undefined> {
    return this.#authorizer.proofOf(grant);
  }

  async #load(server: URL): Promise<Grant | undefined> {
    const grant = await this.#grants.find(server);
    if (!grant) return undefined;
    await this.#outside.trust.check("request", server);
    this.#held.set(server.pathname, grant);
    return grant;
  }

  /** Works on the grant that there is, alone. What another has got meanwhile comes first. */
  #exclusively(
    name: string,
    { server, grant, signal }: Refused,
    work: (held: Grant | undefined, gone: AbortSignal) => Promise<Renewal>,
  ): Promise<Renewal> {
    const run = async (gone: AbortSignal): Promise<Renewal> => {
      await this.#outside.trust.check("request", server);
      const renewal = await this.#grants.lock(async () => {
        gone.throwIfAborted();
        const held = await this.#grants.find(server);
        if (held && held.accessToken !== grant?.accessToken) return FOUND(held);
        const got = await work(held, gone);
        if (got.how !== "found") await this.#grants.save(got.grant, held);
        return got;
      });
      this.#held.set(server.pathname, renewal.grant);
      return renewal;
    };
    return this.#flights.join(`${server.pathname} ${name} ${grant?.accessToken ?? ""}`, run, signal);
  }

  /** Before the end of a token, without a person. */
  async #ahead(server: URL, held: Grant | undefined, gone: AbortSignal): Promise<Renewal> {
    const renewed = held?.refreshToken === undefined ? undefined : await this.#refresh(server, held);
    if (renewed) return renewed;
    if (!held || held.refreshToken !== undefined) throw new AuthError("refresh", server, "expected a grant, got none");
    const { resource, issuer, old, scope, keys } = held;
    const wish = { address: addressOf(server), resource, issuer, old, scope, dpop: keys !== undefined };
    return { grant: await this.#authorizer.issue(wish, gone), how: "issued" };
  }

  /** What fails before the end of a token may still be mended when the token is refused. */
  async #asBefore(server: URL, grant: Grant): Promise<Grant | undefined> {
    if (!(await this.#grants.find(server))) {
      this.#held.delete(server.pathname);
      return undefined;
    }
    const patient = { ...grant, renewAt: Date.now() + PAUSE };
    this.#held.set(server.pathname, patient);
    return patient;
  }

  /** Undefined where only a new authorization helps. Deletes nothing that is newer than what was refused. */
  async #refresh(server: URL, grant: Grant): Promise<Renewal | undefined> {
    const refreshed = await this.#authorizer.refresh(addressOf(server), grant);
    if (refreshed) return { grant: refreshed, how: "refreshed" };
    await this.#grants.delete(grant);
    const newer = await this.#grants.find(server);
    return newer && FOUND(newer);
  }

  async #issue(
    refused: Refused,
    { resource, issuer, old, dpop, scope: suggested }: Whereabouts,
    wanted: string | undefined,
    gone: AbortSignal,
    once = false,
  ): Promise<Renewal> {
    const { server, challenge } = refused;
    const scope = wanted ?? suggested;
    if (once && this.#asked.has(server, scope)) throw tooLittle(refused, scope);
    if (this.#authorizer.attended && this.#pause.lasts)
      throw new AuthError("authorization", server, "expected a person to log in, nobody has lately; logIn asks again");
    this.#asked.add(server, scope);
    const wish = { address: addressOf(server), resource, issuer, old, scope, dpop: dpop || challenge.dpop };
    try {
      this.#asking = this.#authorizer.attended;
      const grant = await this.#authorizer.issue(wish, gone);
      this.#pause.end();
      return { grant, how: "issued" };
    } catch (error) {
      // A person who has yet to go there has not answered.
      if (LoginRequired.is(error)) this.#asked.delete(server, scope);
      if (!gone.aborted) this.#pause.failed(error);
      throw error;
    } finally {
      this.#asking = false;
    }
  }
}

const FOUND = (grant: Grant): Renewal => ({ grant, how: "found" });

/** A query may be secret. */
const addressOf = ({ origin, pathname }: URL): string => origin + pathname;

function tooLittle({ server, grant, challenge }: Refused, scope: string | undefined): AuthError {
  const had = scope === undefined ? "a token" : `the scope ${quote(scope)}`;
  const said = without(challenge.scope ?? "", [grant?.accessToken]);
  const wanted = said === "" ? "" : `, which wants ${quote(said)}`;
  return new AuthError("request", server, `expected to be let in with ${had}, got status 403${wanted}`, {
    code: "insufficient_scope",
  });
}
