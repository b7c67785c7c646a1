import { importJWK, importPKCS8 } from "jose";
import type { SigningKey } from "./client/description.ts";
import type { Jwk } from "./key.ts";

/** Makes a signing key of a private key in PEM (PKCS #8) or as a JWK, for an algorithm such as "ES256". */
export async function signingKey(key: string | Pick<Jwk, "kty">, algorithm: string, kid?: string): Promise<SigningKey> {
  const imported = typeof key === "string" ? await importPKCS8(key, algorithm) : await importJWK({ ...key }, algorithm);
  if (imported instanceof Uint8Array) throw new TypeError("Expected a private key, got a secret");
  return { key: imported, kid };
}
