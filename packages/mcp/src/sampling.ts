const CONTEXTS: readonly unknown[] = [undefined, "none", "thisServer", "allServers"];
const PRIORITIES = ["costPriority", "speedPriority", "intelligencePriority"] as const;

type Fields = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * What is wrong with the parameters of `sampling/createMessage`; undefined when nothing is. Servers look before they
 * ask, clients before a model sees it (client/sampling).
 */
export function samplingFault(params: unknown): string | undefined {
  const { messages, maxTokens, includeContext, modelPreferences = {} } = (params ?? {}) as Fields;
  if (!Array.isArray(messages)) return '"messages" must be a list';
  if (typeof maxTokens !== "number") return '"maxTokens" must be a number';
  if (!CONTEXTS.includes(includeContext)) return '"includeContext" must be "none", "thisServer" or "allServers"';
  for (const name of PRIORITIES) {
    const { [name]: priority = 0 } = modelPreferences as Fields;
    if (typeof priority !== "number" || !(priority >= 0 && priority <= 1)) return `"${name}" must be from 0 to 1`;
  }
  return messages.map(messageFault).find((fault) => fault !== undefined) ?? toolFault(messages as readonly Message[]);
}

/** Whether this is what a client's model has said. A list of blocks is only for who has given tools. */
export const isSampled = (answer: unknown, withTools: boolean): boolean =>
  isObject(answer) &&
  messageFault(answer) === undefined &&
  typeof answer["model"] === "string" &&
  (withTools || !Array.isArray(answer["content"]));

/** Whether a message uses a tool. */
export const usesTool = (answer: unknown): boolean =>
  blocksOf(answer as Message).some(({ type }) => type === "tool_use");

interface Message {
  readonly role: unknown;
  readonly content: Fields | readonly Fields[];
}

const blocksOf = ({ content }: Message): readonly Fields[] => (Array.isArray(content) ? content : [content as Fields]);

function messageFault(message: unknown): string | undefined {
  if (!isObject(message)) return "a message must be an object";
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") return 'the role of a message must be "user" or "assistant"';
  return (Array.isArray(content) ? content : [content]).map(blockFault).find((fault) => fault !== undefined);
}

/** The members that each kind of content must have; other kinds are for whoever knows them. */
const MEMBERS: { readonly [kind: string]: { readonly [name: string]: (value: unknown) => boolean } } = {
  text: { text: isString },
  image: { data: isString, mimeType: isString },
  audio: { data: isString, mimeType: isString },
  tool_use: { id: isString, name: isString, input: isObject },
  tool_result: { toolUseId: isString, content: Array.isArray },
};

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function blockFault(block: unknown): string | undefined {
  if (!isObject(block) || typeof block["type"] !== "string") return "the content of a message must have a type";
  const { type } = block;
  const members = Object.hasOwn(MEMBERS, type) ? Object.entries(MEMBERS[type] ?? {}) : [];
  const wrong = members.find(([name, fits]) => !fits(block[name]));
  return wrong && `content of type "${type}" lacks a fitting "${wrong[0]}"`;
}

/** Each use of a tool has its result in the very next message, which holds nothing else. */
function toolFault(messages: readonly Message[]): string | undefined {
  let uses: unknown[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message);
    const results = blocks.filter(({ type }) => type === "tool_result");
    if (results.length > 0 && (results.length < blocks.length || message.role !== "user"))
      return "the results of tools must stand alone in a message of the user";
    const given = results.map(({ toolUseId }) => toolUseId);
    if (given.length !== uses.length || !uses.every((id) => given.includes(id)))
      return "each use of a tool must have its result in the next message";
    uses = blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id);
  }
  return uses.length > 0 ? "each use of a tool must have its result in the next message" : undefined;
}
