/** The variables of a URI template, by its text: `"rooms/{id}{?from,to}"` has `id`, and perhaps `from` and `to`. */
export type VariablesOf<T extends string> = string extends T
  ? { readonly [name: string]: string | readonly string[] | undefined }
  : Flat<In<T>>;

/** The names of those variables. */
export type VariableName<T extends string> = keyof VariablesOf<T> & string;

type In<T extends string> = T extends `${string}{${infer Inner}}${infer Rest}` ? Expression<Inner> & In<Rest> : unknown;

type Expression<Inner extends string> = Inner extends `+${infer Names}`
  ? List<Names>
  : Inner extends `${"#" | "." | "/" | ";" | "?" | "&"}${infer Names}`
    ? Partial<List<Names>>
    : List<Inner>;

type List<Names extends string> = Names extends `${infer First},${infer Rest}` ? One<First> & List<Rest> : One<Names>;

type One<Name extends string> = Name extends `${infer Plain}*`
  ? { readonly [key in Plain]: readonly string[] }
  : Name extends `${infer Plain}:${string}`
    ? { readonly [key in Plain]: string }
    : { readonly [key in Name]: string };

type Flat<T> = { readonly [key in keyof T]: T[key] };
