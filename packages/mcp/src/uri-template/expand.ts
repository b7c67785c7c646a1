import { type Expression, type Operator, type Variable, parseTemplate } from "./template.ts";

type Scalar = string | number | boolean;

/** What a variable may stand for; undefined, null and what is empty leave it out (RFC 6570, section 2.3). */
export type TemplateValue = Scalar | readonly Scalar[] | { readonly [key: string]: Scalar } | undefined | null;

interface Way {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  /** What follows the name where the value is empty. */
  readonly empty: string;
  readonly encode: (text: string) => string;
}

/** RFC 6570, appendix A. */
const WAYS: { readonly [operator in Operator]: Way } = {
  "": { first: "", separator: ",", named: false, empty: "", encode: unreserved },
  "+": { first: "", separator: ",", named: false, empty: "", encode: reserved },
  "#": { first: "#", separator: ",", named: false, empty: "", encode: reserved },
  ".": { first: ".", separator: ".", named: false, empty: "", encode: unreserved },
  "/": { first: "/", separator: "/", named: false, empty: "", encode: unreserved },
  ";": { first: ";", separator: ";", named: true, empty: "", encode: unreserved },
  "?": { first: "?", separator: "&", named: true, empty: "=", encode: unreserved },
  "&": { first: "&", separator: "&", named: true, empty: "=", encode: unreserved },
};

/** The URI that a template gives with these values. Throws a TypeError for what is no URI template. */
export function expandTemplate(template: string, values: { readonly [name: string]: TemplateValue }): string {
  return parseTemplate(template)
    .map((part) => (typeof part === "string" ? reserved(part) : expression(part, values)))
    .join("");
}

function expression({ operator, variables }: Expression, values: { readonly [name: string]: TemplateValue }): string {
  const way = WAYS[operator];
  const written = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    const text = value === undefined || value === null ? undefined : one(variable, value, way);
    return text === undefined ? [] : [text];
  });
  return written.length === 0 ? "" : way.first + written.join(way.separator);
}

/** One variable; undefined for an empty list, which counts as none. */
function one({ name, explode, max }: Variable, value: NonNullable<TemplateValue>, way: Way): string | undefined {
  const { encode, separator } = way;
  if (typeof value !== "object") {
    const text = String(value);
    return labelled(way, name, encode(max === undefined ? text : Array.from(text).slice(0, max).join("")));
  }
  const members: readonly (readonly [key: string, value: Scalar])[] = Array.isArray(value)
    ? (value as readonly Scalar[]).map((member) => [name, member])
    : Object.entries(value as { readonly [key: string]: Scalar });
  if (members.length === 0) return undefined;
  const list = Array.isArray(value);
  if (!explode) {
    const flat = members.flatMap(([key, member]) => (list ? [member] : [key, member]));
    return labelled(way, name, flat.map((member) => encode(String(member))).join(","));
  }
  return members
    .map(([key, member]) => {
      const text = encode(String(member));
      if (way.named) return labelled(way, list ? name : encode(key), text);
      return list ? text : `${encode(key)}=${text}`;
    })
    .join(separator);
}

const labelled = ({ named, empty }: Way, name: string, text: string): string =>
  named ? name + (text === "" ? empty : `=${text}`) : text;

/** Leaves only what may stand anywhere: letters, digits, `-._~`. */
function unreserved(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Leaves what has a meaning in URIs too, and what is encoded already. */
function reserved(text: string): string {
  return encodeURI(text)
    .replace(/%5[BD]/g, (code) => (code === "%5B" ? "[" : "]"))
    .replace(/%25(?=[\dA-Fa-f]{2})/g, "%");
}
