import type { Root } from "../model/roots.ts";

/** Throws a TypeError for roots that no server may see. */
export const checkRoots = (roots: readonly Root[]): void => roots.forEach(checkRoot);

/** A file: URI that says where it is: no way leads out of it. Throws a TypeError. */
function checkRoot({ uri }: Root): void {
  if (!/^file:\/\//i.test(uri) || /(^|[/\\])(\.|%2e){2}([/\\]|%2f|%5c|$)/i.test(uri))
    throw new TypeError(`a root is a file: URI without "..", got ${JSON.stringify(uri)}`);
}
