import { AuthError } from "../error.ts";
import type { Flow } from "../flow.ts";

/** The extension that says of a client that it logs in for itself; for the client's capabilities. */
export const CLIENT_CREDENTIALS = "io.modelcontextprotocol/oauth-client-credentials";

/**
 * A program gets tokens for itself, with the secret or the key of the client that it is registered as (extension OAuth
 * Client Credentials). The provider has that client as `client.registered`.
 */
export function clientCredentials(): Flow {
  return {
    attended: false,
    async run(authorization) {
      const { server, scope } = authorization.aim;
      const client = await authorization.client();
      if (client.method === "none")
        throw new AuthError(
          "token",
          server.tokenEndpoint,
          "expected a client with a secret or a key, got one with neither",
        );
      return await authorization.request(client, "client_credentials", { scope });
    },
  };
}
