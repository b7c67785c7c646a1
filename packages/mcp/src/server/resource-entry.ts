import { checkTemplate, isTemplate } from "../uri-template/check.ts";
import { hintsOf } from "./caching.ts";
import type { AnyResourceOptions, AnyResourceReader } from "./resource.ts";

/** A resource, or a template, that can be published. */
export interface ResourceEntry {
  readonly uri: string;
  readonly options: AnyResourceOptions;
  readonly read: AnyResourceReader;
}

/** Throws a TypeError for what is neither a URI (RFC 3986) nor a URI template (RFC 6570). */
export function resourceEntry(uri: string, options: AnyResourceOptions, read: AnyResourceReader): ResourceEntry {
  if (isTemplate(uri)) checkTemplate(uri);
  else if (!/^[A-Za-z][\w+.-]*:[^\s"<>\\^`{|}]*$/.test(uri))
    throw new TypeError('a URI has a scheme and no spaces, quotes or braces, as in "notes:today"');
  hintsOf(options.cache);
  return { uri, options, read };
}
