/** Headers of a message, each by its name (RFC 9110, section 5). */
export type HeaderFields = { readonly [name: string]: string };
