import { type Template, isTemplate, parseTemplate } from "../uri-template/template.ts";
import { hintsOf } from "./caching.ts";
import type { AnyResourceOptions, AnyResourceReader } from "./resource.ts";

/** A resource, or a template, that can be published. */
export interface ResourceEntry {
  readonly uri: string;
  readonly options: AnyResourceOptions;
  readonly read: AnyResourceReader;
  /** The URI, in parts. */
  readonly template: Template;
}

/** Throws a TypeError for what is neither a URI (RFC 3986) nor a URI template (RFC 6570). */
export function resourceEntry(uri: string, options: AnyResourceOptions, read: AnyResourceReader): ResourceEntry {
  if (!isTemplate(uri) && !/^[A-Za-z][\w+.-]*:[^\s"<>\\^`{|}]*$/.test(uri))
    throw new TypeError('a URI has a scheme and no spaces, quotes or braces, as in "notes:today"');
  hintsOf(options.cache);
  return { uri, options, read, template: parseTemplate(uri) };
}
