import type { Flow } from "../flow.ts";

export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** What an assertion is for. */
export interface Audience {
  /** The authorization server that is to take it: its `aud`. */
  readonly issuer: string;
  /** The server that the token is for. */
  readonly resource: string;
  readonly scope: string | undefined;
}

/**
 * A program swaps an assertion of the platform that it runs on, such as a Kubernetes service account token, for an access
 * token (RFC 7523 section 2.1). `assertion` is asked each time; a refusal is final.
 */
export function workloadIdentity(assertion: (audience: Audience) => string | Promise<string>): Flow {
  return {
    attended: false,
    async run(authorization) {
      const { server, resource, scope } = authorization.aim;
      const client = await authorization.client();
      const jwt = await assertion({ issuer: server.issuer, resource, scope });
      return await authorization.request(client, JWT_BEARER, { assertion: jwt, scope });
    },
  };
}
