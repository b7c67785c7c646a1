import { type DPoPHandle, clockSkew, genericTokenEndpointRequest } from "oauth4webapi";
import { authenticate } from "./client/authenticate.ts";
import type { Client } from "./client/client.ts";
import { AuthError, type Step } from "./error.ts";
import { formOptions } from "./form.ts";
import type { Outside } from "./outside.ts";
import { type Tokens, tokensIn } from "./tokens.ts";

export interface TokenRequest {
  readonly step: Step;
  readonly server: { readonly issuer: string; readonly tokenEndpoint: string; readonly clockSkew: number };
  readonly client: Client;
  readonly grantType: string;
  readonly parameters: { readonly [name: string]: string | undefined };
  /** Binds the tokens to a key. */
  readonly proof?: DPoPHandle | undefined;
}

/** Asks a token endpoint for tokens. Rejects with an AuthError that has the server's error code. */
export async function requestTokens(outside: Outside, request: TokenRequest): Promise<Tokens> {
  const { step, server, client } = request;
  const secrets = new Set([client.secret ?? ""]);
  const options = formOptions(step, outside, secrets);
  try {
    return await attempt();
  } catch (error) {
    // The answer has brought the nonce along (RFC 9449 section 8).
    if (request.proof && AuthError.is(error) && error.code === "use_dpop_nonce") return await attempt();
    throw error;
  }

  async function attempt(): Promise<Tokens> {
    const address = server.tokenEndpoint;
    // Before oauth4webapi looks at it, whose errors are not ours.
    await outside.trust.check(step, address);
    const response = await genericTokenEndpointRequest(
      { issuer: server.issuer, token_endpoint: address },
      { client_id: client.id, [clockSkew]: server.clockSkew },
      authenticate(client),
      request.grantType,
      defined(request.parameters),
      { ...options, ...(request.proof && { DPoP: request.proof }) },
    );
    return tokensIn(await outside.read(step, address, response), response.status, { step, address, secrets });
  }
}

function defined(parameters: { readonly [name: string]: string | undefined }): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
