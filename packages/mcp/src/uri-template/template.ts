/** What comes before a variable list and says how it is written: simple, reserved, fragment, label, path, parameters, query. */
export type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

export interface Variable {
  readonly name: string;
  /** `{name*}`: each member of a list by itself. */
  readonly explode: boolean;
  /** `{name:3}`: only so many characters. */
  readonly max: number | undefined;
}

export interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A URI template (RFC 6570, all four levels): literal text and expressions in turn. */
export type Template = readonly (string | Expression)[];

const OPERATORS = "+#./;?&";

/** Throws a TypeError for what is no URI template. */
export function parseTemplate(text: string): Template {
  return text
    .split(/\{([^{}]*)\}/)
    .map((part, at) => (at % 2 === 1 ? expressionOf(part, text) : literalOf(part, text)))
    .filter((part) => part !== "");
}

function literalOf(part: string, text: string): string {
  const [brace] = /[{}]/.exec(part) ?? [];
  if (brace !== undefined) throw wrong(text, `has a "${brace}" without its "${brace === "{" ? "}" : "{"}"`);
  return part;
}

/** The names of its variables. */
export const variablesOf = (template: Template): readonly string[] =>
  template.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name)));

/** No URI has a `{` (RFC 3986, appendix A). */
export const isTemplate = (uri: string): boolean => uri.includes("{");

function expressionOf(inner: string, text: string): Expression {
  const operator = inner !== "" && OPERATORS.includes(inner.charAt(0)) ? (inner.charAt(0) as Operator) : "";
  const variables = inner
    .slice(operator.length)
    .split(",")
    .map((variable) => {
      const [, name, explode, max] =
        /^((?:\w|%[\dA-Fa-f]{2})(?:\.?(?:\w|%[\dA-Fa-f]{2}))*)(?:(\*)|:([1-9]\d{0,3}))?$/.exec(variable) ?? [];
      if (name === undefined) throw wrong(text, `has ${JSON.stringify(variable)} where a variable should be`);
      return { name, explode: explode !== undefined, max: max === undefined ? undefined : Number(max) };
    });
  return { operator, variables };
}

const wrong = (text: string, why: string): TypeError =>
  new TypeError(`The URI template ${JSON.stringify(text)} ${why}`);
