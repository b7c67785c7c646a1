/** Where a document about an URL is by RFC 8615: the suffix goes between origin and path. */
export function inserted(url: URL, suffix: string): string {
  return `${url.origin}/.well-known/${suffix}${pathOf(url)}`;
}

/** Where OpenID Connect Discovery looks for it: behind the path. */
export function appended(url: URL, suffix: string): string {
  return `${url.origin}${pathOf(url)}/.well-known/${suffix}`;
}

/** Without the slash at its end: "" for the root. */
export const pathOf = ({ pathname }: URL): string => pathname.replace(/\/$/, "");
