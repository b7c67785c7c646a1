/** What was being done when authorization failed. */
export type Step =
  | "resource metadata"
  | "server metadata"
  | "registration"
  | "authorization"
  | "token"
  | "refresh"
  | "revocation"
  | "introspection"
  | "identity provider"
  | "request";

interface Details {
  /** The other side's error code, such as "invalid_grant". */
  readonly code?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Authorization that failed: the step, the address, what was expected and what came. It never holds a token, a secret or
 * the query of an address.
 */
export class AuthError extends Error {
  override name = "AuthError";
  readonly step: Step;
  readonly url: string;
  readonly code: string | undefined;

  constructor(step: Step, url: string | URL, problem: string, { code, cause }: Details = {}) {
    const where = bare(url);
    super(`${step}, ${where}: ${problem}`, cause === undefined ? undefined : { cause });
    this.step = step;
    this.url = where;
    this.code = code;
  }

  /** Tells this class from look-alikes in any copy of this package. */
  get "@x/mcp-auth/AuthError"(): true {
    return true;
  }

  /** True for an AuthError of any copy or version of this package. */
  static is(error: unknown): error is AuthError {
    return (
      typeof error === "object" &&
      error !== null &&
      (error as { "@x/mcp-auth/AuthError"?: unknown })["@x/mcp-auth/AuthError"] === true
    );
  }

  /** The AuthError that an error is, or that is behind it: transports say in their own words that they could not send. */
  static of(error: unknown): AuthError | undefined {
    return AuthError.is(error) ? error : error instanceof Error ? AuthError.of(error.cause) : undefined;
  }
}

/** A person has to be sent to `loginUrl`; `finishLogin` takes the address to which they come back. */
export class LoginRequired extends AuthError {
  override name = "LoginRequired";
  readonly loginUrl: string;

  constructor(loginUrl: string) {
    super("authorization", loginUrl, "a person has to log in there first");
    this.loginUrl = loginUrl;
  }

  get "@x/mcp-auth/LoginRequired"(): true {
    return true;
  }

  /** True for a LoginRequired of any copy or version of this package. */
  static override is(error: unknown): error is LoginRequired {
    return AuthError.is(error) && "@x/mcp-auth/LoginRequired" in error;
  }

  /** The LoginRequired that an error is, or that is behind it. */
  static override of(error: unknown): LoginRequired | undefined {
    const found = AuthError.of(error);
    return LoginRequired.is(found) ? found : undefined;
  }
}

/** An address without what may be secret in it. */
function bare(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text)) return quote(text);
  const { origin, protocol, pathname } = new URL(text);
  return origin === "null" ? protocol : origin + pathname;
}

/** What another side has said, for one line of a message: no control characters, not too long. */
export function quote(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  // oxlint-disable-next-line no-control-regex -- they are what has to go
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
  return `"${line.length > 200 ? `${line.slice(0, 200)}…` : line}"`;
}
