import { checkTemplate } from "./check.ts";

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

/** Throws a TypeError for what is no URI template. */
export function parseTemplate(text: string): Template {
  checkTemplate(text);
  return text
    .split(/\{([^{}]*)\}/)
    .map((part, at) => (at % 2 === 1 ? expressionOf(part) : part))
    .filter((part) => part !== "");
}

/** The names of its variables. */
export const variablesOf = (template: Template): readonly string[] =>
  template.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name)));

function expressionOf(inner: string): Expression {
  const operator = (/^[+#./;?&]/.exec(inner)?.[0] ?? "") as Operator;
  const variables = inner
    .slice(operator.length)
    .split(",")
    .map((variable) => {
      const [name = "", max] = variable.replace("*", "").split(":");
      return { name, explode: variable.endsWith("*"), max: max === undefined ? undefined : Number(max) };
    });
  return { operator, variables };
}
