import { createHash, randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { type Answer, type Arrived, type Reply, type Site, site } from "./site.ts";

export interface IssuerOptions {
  /** Path of the issuer, such as "/tenant". */
  readonly path?: string;
  /** Where the metadata is (default: where RFC 8414 has it). */
  readonly metadataAt?: string;
  /** Changes members of the metadata; undefined leaves one out. */
  readonly metadata?: { readonly [member: string]: unknown };
  /** Answers before the issuer itself does. */
  readonly first?: Answer;
  /** Changes the answer to a token request that was good. */
  readonly tokens?: { readonly [member: string]: unknown };
  /** `iss` in authorization responses (default: right and announced). */
  readonly iss?: string | null;
  readonly refreshTokens?: boolean;
}

/** What a token is good for. */
export interface Issued {
  readonly scopes: readonly string[];
  readonly resource: string | null;
  readonly client: string;
}

/** An authorization server that does what OAuth 2.1 says, unless it is told otherwise. */
export class Issuer {
  readonly issuer: string;
  readonly site: Site;
  /** Access tokens that are good. */
  readonly valid = new Map<string, Issued>();
  /** Refresh tokens; each is good once, and its second use ends everything. */
  readonly refreshTokens = new Map<string, Issued>();
  readonly clients = new Map<string, { readonly secret: string | undefined; readonly method: string }>();
  readonly #options: IssuerOptions;
  readonly #codes = new Map<string, { readonly challenge: string | null; readonly issued: Issued }>();
  readonly #spent = new Set<string>();

  private constructor(place: Site, options: IssuerOptions) {
    this.site = place;
    this.issuer = place.origin + (options.path ?? "");
    this.#options = options;
  }

  static async start(t: TestContext, options: IssuerOptions = {}): Promise<Issuer> {
    // oxlint-disable-next-line prefer-const -- the site has to be there before the issuer that answers for it
    let issuer: Issuer;
    const place = await site(t, async (request) => (await options.first?.(request)) ?? issuer.#answer(request));
    issuer = new Issuer(place, options);
    return issuer;
  }

  get tokenRequests(): URLSearchParams[] {
    return this.site.requests.filter(({ path }) => path === "/token").map(({ form }) => form);
  }

  get authorizationRequests(): URLSearchParams[] {
    return this.site.requests.filter(({ path }) => path === "/authorize").map(({ query }) => query);
  }

  get registrations(): { readonly [member: string]: unknown }[] {
    return this.site.requests.filter(({ path }) => path === "/register").map(({ body }) => JSON.parse(body));
  }

  /** An answer with new tokens. */
  issue(issued: Issued): { readonly [member: string]: unknown } {
    const access = `access-${randomUUID()}`;
    this.valid.set(access, issued);
    const refresh = `refresh-${randomUUID()}`;
    if (this.#options.refreshTokens) this.refreshTokens.set(refresh, issued);
    return {
      access_token: access,
      token_type: "Bearer",
      expires_in: 3600,
      scope: issued.scopes.join(" "),
      ...(this.#options.refreshTokens && { refresh_token: refresh }),
      ...this.#options.tokens,
    };
  }

  get metadata(): { readonly [member: string]: unknown } {
    const { origin } = this.site;
    return {
      issuer: this.issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      revocation_endpoint: `${origin}/revoke`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
      authorization_response_iss_parameter_supported: true,
      ...this.#options.metadata,
    };
  }

  #answer(request: Arrived): Reply | undefined {
    const { path } = request;
    const { path: own = "", metadataAt = `/.well-known/oauth-authorization-server${own}` } = this.#options;
    if (path === metadataAt) return { body: this.metadata };
    if (path === "/authorize") return this.#authorize(request);
    if (path === "/register") return this.#register(request);
    if (path === "/token") return this.#token(request);
    if (path === "/revoke") return this.#revoke(request);
    return undefined;
  }

  #authorize({ query }: Arrived): Reply {
    const code = `code-${randomUUID()}`;
    const scopes = query.get("scope")?.split(" ") ?? [];
    const issued = { scopes, resource: query.get("resource"), client: query.get("client_id") ?? "" };
    this.#codes.set(code, { challenge: query.get("code_challenge"), issued });
    const back = new URL(query.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    const { iss = this.issuer } = this.#options;
    if (iss !== null) back.searchParams.set("iss", iss);
    return { status: 302, headers: { Location: back.href } };
  }

  #register({ body }: Arrived): Reply {
    const wished = JSON.parse(body) as { token_endpoint_auth_method: string; redirect_uris: string[] };
    const method = wished.token_endpoint_auth_method;
    const id = `client-${randomUUID()}`;
    const secret = method === "none" ? undefined : `secret-${randomUUID()}`;
    this.clients.set(id, { secret, method });
    return { status: 201, body: { ...wished, client_id: id, client_secret: secret, client_secret_expires_at: 0 } };
  }

  #token(request: Arrived): Reply {
    const { form } = request;
    switch (form.get("grant_type") ?? "") {
      case "authorization_code": {
        const { challenge, issued } = this.#codes.get(form.get("code") ?? "") ?? {};
        this.#codes.delete(form.get("code") ?? "");
        const verifier = createHash("sha256")
          .update(form.get("code_verifier") ?? "")
          .digest("base64url");
        return issued && challenge === verifier ? { body: this.issue(issued) } : refused("invalid_grant");
      }
      case "refresh_token": {
        const token = form.get("refresh_token") ?? "";
        const issued = this.refreshTokens.get(token);
        if (this.#spent.has(token)) this.#revokeAll();
        if (!issued || this.#spent.has(token)) return refused("invalid_grant");
        this.#spent.add(token);
        this.refreshTokens.delete(token);
        return { body: this.issue(issued) };
      }
      default:
        return refused("unsupported_grant_type");
    }
  }

  #revoke({ form }: Arrived): Reply {
    this.valid.delete(form.get("token") ?? "");
    this.refreshTokens.delete(form.get("token") ?? "");
    return {};
  }

  /** Somebody else has a token that was meant for one. */
  #revokeAll(): void {
    this.valid.clear();
    this.refreshTokens.clear();
  }
}

export const refused = (error: string, more: object = {}): Reply => ({ status: 400, body: { error, ...more } });
