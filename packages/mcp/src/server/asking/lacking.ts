import { MissingClientCapabilityError } from "../../errors.ts";
import type { ClientCapabilities } from "../../model/capabilities.ts";
import type { ClientFacts } from "../client-facts.ts";
import type { Question } from "./asker.ts";

/** What the client would have to declare before it can be asked this; undefined where it may be asked. */
export function lacking({ method, needs }: Question, client: ClientFacts): ClientCapabilities | undefined {
  if (!client.revision.asks.has(method)) return needs;
  const missing = missingIn(needs as Tree, whole(client.capabilities) as Tree);
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** Where there is no way to say it in the answer: the call fails with it. */
export const notAsked = (key: string, missing: ClientCapabilities): Error =>
  new Error(`"${key}" was not asked: the client does not declare ${JSON.stringify(missing)}`);

/** Where the answer says it (basic/index, "Capabilities"). */
export const refused = (requiredCapabilities: ClientCapabilities): MissingClientCapabilityError =>
  new MissingClientCapabilityError(
    { requiredCapabilities },
    `The client does not declare what this request needs: ${JSON.stringify(requiredCapabilities)}`,
  );

/** A client that names no mode of elicitation has forms (client/elicitation, "Capabilities"). */
function whole({ elicitation, ...rest }: ClientCapabilities): ClientCapabilities {
  if (!elicitation) return rest;
  return { ...rest, elicitation: elicitation.form || elicitation.url ? elicitation : { form: {} } };
}

type Tree = { readonly [key: string]: Tree | boolean | undefined };

function missingIn(needs: Tree, has: Tree): Tree {
  const missing: Record<string, Tree | boolean> = {};
  for (const [key, need] of Object.entries(needs)) {
    const own = Object.hasOwn(has, key) ? has[key] : undefined;
    if (need === undefined) continue;
    if (own === undefined) missing[key] = need;
    else if (typeof need === "object" && typeof own === "object") {
      const within = missingIn(need, own);
      if (Object.keys(within).length > 0) missing[key] = within;
    }
  }
  return missing;
}
