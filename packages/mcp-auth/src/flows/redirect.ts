import { LoginRequired } from "../error.ts";
import type { Flow } from "../flow.ts";
import { type Login, keep } from "./logins.ts";
import { prepare } from "./pending.ts";
import { safeRedirect } from "./redirect-uri.ts";

/**
 * For a web application: requests reject with a LoginRequired, the application sends the person to its `loginUrl`, and
 * gives the address to which they come back, below `redirectUri`, to `finishLogin`. Needs a store of each person's own.
 */
export function redirect(redirectUri: string): Flow {
  safeRedirect(redirectUri);
  return {
    attended: true,
    async run(authorization) {
      const pending = await prepare(authorization, redirectUri);
      const { address, resource, old, scope } = authorization.aim;
      const login: Login = {
        pending,
        address,
        resource,
        old,
        scope,
        keys: authorization.proof?.keys,
        begun: Date.now(),
      };
      await keep(authorization.store, login);
      throw new LoginRequired(pending.page);
    },
  };
}
