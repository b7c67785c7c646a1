import { Authorizer } from "./authorizer.ts";
import { AuthError } from "./error.ts";
import type { Fetch } from "./fetch.ts";
import { find } from "./flows/logins.ts";
import { Grants } from "./grants.ts";
import { type Provider, outsideOf } from "./provider.ts";

/**
 * Finishes a login of the flow `redirect`: takes the address to which a person came back and keeps the tokens in the
 * provider's store, where requests find them. Rejects with an AuthError; an answer that is forged or belongs to another
 * login does no harm to the right one.
 */
export async function finishLogin(
  provider: Provider,
  address: string | URL,
  fetch: Fetch = globalThis.fetch,
): Promise<void> {
  const { store } = provider;
  if (!store) throw new TypeError("finishLogin needs the store in which the login was begun");
  const { searchParams: answer } = new URL(address);
  const login = await find(store, answer.get("state"));
  if (!login) {
    const problem = "expected the answer to a login of the last 10 minutes that is not finished, got another";
    throw new AuthError("authorization", address, problem);
  }
  const server = new URL(login.address);
  const grant = await new Authorizer(provider, store, outsideOf(provider, server, fetch)).finish(login, answer);
  const grants = new Grants(store, server.origin);
  await grants.lock(() => grants.save(grant));
}
