/** A variable with its modifier, as a part of a regular expression. */
const VARIABLE = String.raw`(?!\.)(?:\.?(?:\w|%[\dA-Fa-f]{2}))+(?:\*|:[1-9]\d{0,3})?`;

const TEMPLATE = /* @__PURE__ */ new RegExp(String.raw`^(?:[^{}]|\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\})*`);

/** No URI has a `{` (RFC 3986, appendix A). */
export const isTemplate = (uri: string): boolean => uri.includes("{");

/** Throws a TypeError for what is no URI template (RFC 6570, all four levels). */
export function checkTemplate(text: string): void {
  const rest = text.slice(TEMPLATE.exec(text)?.[0].length);
  if (rest !== "")
    throw new TypeError(
      `The URI template ${JSON.stringify(text)} has no expression at ${JSON.stringify(rest)}; such are {id}, {/path*}, {?from,to}`,
    );
}
