/** What a refusal says about how to be let in (RFC 9110 section 11.6.1, RFC 6750 section 3, RFC 9728 section 5.1). */
export interface Challenge {
  /** False where the header asks for other kinds of credentials alone, such as Basic. */
  readonly oauth: boolean;
  /** Whether tokens bound to a key are asked for (RFC 9449 section 7.1). */
  readonly dpop: boolean;
  readonly resourceMetadata?: string | undefined;
  readonly scope?: string | undefined;
  readonly error?: string | undefined;
}

/** For a request that nobody has refused yet. */
export const UNASKED: Challenge = { oauth: true, dpop: false };

/** Reads `WWW-Authenticate`. A server that sends none may still publish its metadata. */
export function challengeIn({ headers }: Response): Challenge {
  const header = headers.get("www-authenticate");
  if (header === null) return UNASKED;
  const ours = parseChallenges(header).filter(({ scheme }) => scheme === "bearer" || scheme === "dpop");
  const parameter = (name: string): string | undefined =>
    ours.find(({ parameters }) => parameters.has(name))?.parameters.get(name);
  return {
    oauth: ours.length > 0,
    dpop: ours.some(({ scheme }) => scheme === "dpop"),
    resourceMetadata: parameter("resource_metadata"),
    scope: parameter("scope"),
    error: parameter("error"),
  };
}

interface Parsed {
  /** In lower case. */
  readonly scheme: string;
  /** By lower-case name. */
  readonly parameters: Map<string, string>;
}

const NAME = "[!#$%&'*+.^_`|~\\w-]+";
const PARAMETER = new RegExp(`(${NAME})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, "sy");
const SCHEME = new RegExp(`(${NAME})(?=[\\s,]|$)`, "y");
const REST = /[^\s,]+/y;
const BETWEEN = /[\s,]*/y;

/** Several challenges with any parameters, in one header or in several that were joined. What makes no sense is skipped. */
export function parseChallenges(header: string): Parsed[] {
  const found: Parsed[] = [];
  for (let at = 0; ; ) {
    at += match(BETWEEN, header, at)?.[0].length ?? 0;
    if (at >= header.length) return found;
    const parameter = match(PARAMETER, header, at);
    const scheme = parameter ? null : match(SCHEME, header, at);
    if (parameter) {
      const [, name = "", quoted, plain = ""] = parameter;
      const { parameters } = found.at(-1) ?? { parameters: new Map<string, string>() };
      if (!parameters.has(name.toLowerCase()))
        parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/gs, "$1") ?? plain);
    } else if (scheme) found.push({ scheme: scheme[0].toLowerCase(), parameters: new Map() });
    at += (parameter ?? scheme ?? match(REST, header, at))?.[0].length ?? 1;
  }
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
