import { type CryptoKey, type JWK, SignJWT, exportJWK, generateKeyPair } from "jose";

/** Somebody who signs tokens. */
export interface Signer {
  /** The public half, as an issuer publishes it. */
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
  /** A token with these claims; it is good for a minute unless they say otherwise. */
  sign(claims: { readonly [claim: string]: unknown }, header?: { readonly [name: string]: unknown }): Promise<string>;
}

export async function signer(kid: string, alg = "ES256"): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  return {
    jwk,
    privateKey,
    sign: (claims, header) =>
      new SignJWT({ exp: Math.floor(Date.now() / 1000) + 60, ...claims })
        .setProtectedHeader({ alg, kid, typ: "at+jwt", ...header })
        .sign(privateKey),
  };
}
