import { allowInsecureRequests, customFetch } from "oauth4webapi";
import type { Step } from "./error.ts";
import type { Outside } from "./outside.ts";

/** What may be seen of a form. Whatever else is in it is secret. */
const OPEN = new Set([
  "grant_type",
  "client_id",
  "redirect_uri",
  "resource",
  "scope",
  "audience",
  "client_assertion_type",
  "requested_token_type",
  "subject_token_type",
  "token_type_hint",
]);

/** A form on its way, as oauth4webapi gives it. */
interface SentForm {
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: URLSearchParams;
}

/** Options with which oauth4webapi sends forms. */
export interface FormOptions {
  readonly [allowInsecureRequests]: true;
  readonly [customFetch]: (url: string, form: SentForm) => Promise<Response>;
}

/** Sends forms through `outside`, and adds to `secrets` what of them must be in no message. */
export function formOptions(step: Step, outside: Outside, secrets: Set<string>): FormOptions {
  return {
    // `outside` decides which addresses may be asked.
    [allowInsecureRequests]: true,
    [customFetch]: (url, { method, headers, body }) => {
      for (const [name, value] of body) if (!OPEN.has(name)) secrets.add(value);
      for (const name of ["authorization", "dpop"]) secrets.add((headers[name] ?? "").replace(/^Basic /, ""));
      return outside.send(step, url, { method, headers, body: body.toString() });
    },
  };
}
