import { placeOf } from "../address.ts";

/**
 * Gives a redirect URI that is safe: https, http on this machine, or a scheme of the program's own (authorization security
 * considerations, "Communication Security"; RFC 8252 section 7). Throws a TypeError for any other.
 */
export function safeRedirect(uri: string): string {
  const { protocol, hostname, hash } = new URL(uri);
  const own = /^[a-z][a-z\d+-]*\.[a-z\d.+-]*:$/.test(protocol);
  if ((protocol === "https:" || own || (protocol === "http:" && placeOf(hostname) === "loopback")) && hash === "")
    return uri;
  throw new TypeError(`A redirect URI must be https:, or http: on this machine, without a fragment; got ${uri}`);
}
