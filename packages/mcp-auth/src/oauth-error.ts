import { type JsonObject, objectIn, stringIn } from "./body.ts";
import { quote } from "./error.ts";

/** What an authorization server has against a request (RFC 6749 section 5.2). */
export interface OAuthError {
  readonly code: string | undefined;
  /** Code and description for a message, with a colon before; empty where there are none. */
  readonly words: string;
}

/** Finds the error in an answer. Whatever was secret in the request is left out, should the server repeat it. */
export function oauthErrorIn(text: string, secrets: Iterable<string>): OAuthError {
  return oauthErrorOf(objectIn(text) ?? formIn(text), secrets);
}

export function oauthErrorOf(answer: JsonObject, secrets: Iterable<string>): OAuthError {
  const code = stringIn(answer, "error");
  const description = stringIn(answer, "error_description");
  const parts = [code, description].filter((part) => part !== undefined).map((part) => quote(without(part, secrets)));
  return { code, words: parts.length === 0 ? "" : `: ${parts.join(", ")}` };
}

/** Some servers answer as they are asked, in a form. */
export function formIn(text: string): JsonObject {
  return /^[\w.-]+=[^<{]*$/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : {};
}

/** A text in which somebody may have repeated what was secret. */
export function without(text: string, secrets: Iterable<string | undefined>): string {
  let rest = text;
  for (const secret of secrets) if (secret) rest = rest.replaceAll(secret, "…");
  return rest;
}
