import type { CacheHints } from "../model/caching.ts";
import type { Resource, ResourceTemplate } from "../model/resources.ts";
import { type Template, parseTemplate, variablesOf } from "../uri-template/template.ts";
import { type Hints, hintsOf } from "./caching.ts";
import type { Completable } from "./complete.ts";
import type { AnyResourceOptions, AnyResourceReader, Watch } from "./resource.ts";

/** A resource, or a template, ready for use. */
export interface ResourceEntry<Definition extends Resource | ResourceTemplate = Resource | ResourceTemplate> {
  readonly definition: Definition;
  readonly read: AnyResourceReader;
  readonly hints: Hints;
  readonly watch: Watch | undefined;
}

export interface TemplateEntry extends ResourceEntry<ResourceTemplate>, Completable {
  readonly template: Template;
  readonly list: AnyResourceOptions["list"];
}

/** Throws a TypeError for what is no URI (RFC 3986). */
export function resourceEntry(
  uri: string,
  { cache, watch, list: _list, complete: _complete, ...facts }: AnyResourceOptions,
  read: AnyResourceReader,
  defaults: CacheHints | undefined,
): ResourceEntry<Resource> {
  if (!/^[A-Za-z][\w+.-]*:[^\s"<>\\^`{|}]*$/.test(uri)) throw new TypeError('a URI has a scheme, as in "notes:today"');
  return { definition: { uri, name: uri, ...facts }, read, hints: hintsOf({ ...defaults, ...cache }), watch };
}

/** Throws a TypeError for what is no URI template (RFC 6570). */
export function templateEntry(
  uriTemplate: string,
  { cache, watch, list, complete, size: _size, ...facts }: AnyResourceOptions,
  read: AnyResourceReader,
  defaults: CacheHints | undefined,
): TemplateEntry {
  const template = parseTemplate(uriTemplate);
  return {
    definition: { uriTemplate, name: uriTemplate, ...facts },
    read,
    hints: hintsOf({ ...defaults, ...cache }),
    watch,
    list,
    template,
    names: variablesOf(template),
    complete,
  };
}
