import { Access, type Refused, type Renewal } from "./access.ts";
import { drop } from "./body.ts";
import { UNASKED, challengeIn } from "./challenge.ts";
import { AuthError, quote } from "./error.ts";
import type { Fetch } from "./fetch.ts";
import type { Grant } from "./grant.ts";
import { memoryStore } from "./memory-store.ts";
import { without } from "./oauth-error.ts";
import { type Provider, checked } from "./provider.ts";
import { type Replay, replayOf } from "./replay.ts";

/** Times that one request is sent again, whatever the answers. */
const MAX_TRIES = 5;

/** Times that wider access is asked for because of one request. */
const MAX_STEPS = 2;

/** A `fetch` that authorizes what it sends. */
export interface AuthorizedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Gets a token for the server at this address, if it wants one and there is none that it takes. For programs that log
   * people in before they connect: however long that takes, no request times out meanwhile.
   */
  logIn(server: string | URL): Promise<void>;
  /** Forgets the token for the server at this address, and has it declared void where that is offered. */
  logOut(server: string | URL): Promise<void>;
}

/**
 * A `fetch` that authorizes: it sends the token that it has, gets one where the server asks for it with 401, and a wider
 * one where it asks with 403. Rejects with an AuthError where that fails. The header `Authorization` is its own: what the
 * caller puts there is not sent. `fetch` sends everything, to authorization servers too.
 */
export function withAuth(fetch: Fetch, provider: Provider): AuthorizedFetch {
  const { store = memoryStore() } = checked(provider);
  const accesses = new Map<string, Access>();
  const accessTo = (server: URL): Access => {
    let access = accesses.get(server.origin);
    if (!access) accesses.set(server.origin, (access = new Access(fetch, provider, store, server)));
    return access;
  };
  const authorized = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = await replayOf(input, init);
    return await send(fetch, accessTo(request.url), request);
  };
  return Object.assign(authorized, {
    async logIn(address: string | URL) {
      const server = new URL(address);
      const access = accessTo(server);
      access.attend();
      // A server says best itself what it wants to see.
      drop(await send(fetch, access, await replayOf(server, PING)));
      if ((await access.current(server)) || !(await access.isProtected(server))) return;
      await access.renew({ server, grant: undefined, challenge: UNASKED }, true);
    },
    async logOut(address: string | URL) {
      const server = new URL(address);
      await accessTo(server).logOut(server);
    },
  });
}

const PING: RequestInit = {
  method: "POST",
  headers: { Accept: "application/json, text/event-stream", "Content-Type": "application/json" },
  body: '{"jsonrpc":"2.0","id":0,"method":"ping"}',
};

async function send(fetch: Fetch, access: Access, request: Replay): Promise<Response> {
  const { url: server } = request;
  const { signal } = request.init;
  let grant = await access.current(server, signal);
  let how: Renewal["how"] | undefined;
  let nonce = false;
  let steps = 0;
  for (let tries = 0; ; tries++) {
    const response = await sendOnce(fetch, access, request, grant);
    if (response.status !== 401 && response.status !== 403) return response;
    const challenge = challengeIn(response);
    if (!challenge.oauth || (response.status === 403 && challenge.error !== "insufficient_scope")) return response;
    drop(response);
    const refused: Refused = { server, grant, challenge, signal };
    if (tries === MAX_TRIES) throw unwelcome(refused, response.status);
    if (challenge.error === "use_dpop_nonce" && !nonce) {
      // The answer has brought the nonce along (RFC 9449 section 9).
      nonce = true;
      continue;
    }
    // Nothing that could be had is newer than what was just issued.
    if (response.status === 401 && how === "issued") throw unwelcome(refused, response.status);
    if (response.status === 401) ({ grant, how } = await access.renew(refused, how !== "refreshed"));
    else if (steps++ < MAX_STEPS) ({ grant, how } = await access.widen(refused));
    else throw unwelcome(refused, response.status);
  }
}

async function sendOnce(
  fetch: Fetch,
  access: Access,
  { url, method, init }: Replay,
  grant: Grant | undefined,
): Promise<Response> {
  if (!grant) return await fetch(url.href, init);
  const proof = await access.proofOf(grant);
  const headers = new Headers(init.headers);
  headers.set("authorization", `${proof ? "DPoP" : "Bearer"} ${grant.accessToken}`);
  if (!proof) return await fetch(url.href, { ...init, headers });
  return await proof.send(grant.accessToken, method, url, (signed) => {
    headers.set("dpop", signed);
    return fetch(url.href, { ...init, headers });
  });
}

function unwelcome({ server, grant, challenge }: Refused, status: number): AuthError {
  const said = without(challenge.error ?? "", [grant?.accessToken]);
  const error = said === "" ? "" : `, ${quote(said)}`;
  const problem = `expected the new token to be accepted, got status ${status}${error}`;
  return new AuthError("request", server, problem, { code: said === "" ? undefined : said });
}
