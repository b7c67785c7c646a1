import type { Annotations } from "./model/content.ts";
import type { ToolAnnotations } from "./model/tools.ts";

/** Something that clients list. */
interface Titled {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: ToolAnnotations | Annotations;
}

/** What people should read: the title, where a tool may have it in its annotations, or else the name. */
export const titleOf = ({ name, title, annotations = {} }: Titled): string =>
  title ?? ("title" in annotations ? annotations.title : undefined) ?? name;
