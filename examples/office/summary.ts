import type { Message, Request } from "@x/jsonrpc";

type Fields = { readonly [name: string]: unknown };

const VERSION = "io.modelcontextprotocol/protocolVersion";
const SERVER = "io.modelcontextprotocol/serverInfo";

/** What a message says, in a few words. `request` is what a response answers. */
export function summaryOf(message: Message, request?: Request): string {
  if ("error" in message) return `${message.error.message} (${message.error.code})`;
  if ("result" in message) return (RESULTS[request?.method ?? ""] ?? short)(fields(message.result));
  return (PARAMS[message.method] ?? short)(fields(message.params));
}

const PARAMS: { readonly [method: string]: (params: Fields) => string } = {
  "server/discover": ({ _meta }) => `in ${String(fields(_meta)[VERSION])}`,
  initialize: ({ protocolVersion, clientInfo }) => `in ${String(protocolVersion)}, from ${nameOf(clientInfo)}`,
  "notifications/initialized": () => "",
  "subscriptions/listen": ({ notifications }) => Object.keys(fields(notifications)).join(", "),
  "notifications/subscriptions/acknowledged": ({ notifications }) => Object.keys(fields(notifications)).join(", "),
  "notifications/tools/list_changed": () => "",
  "notifications/cancelled": ({ reason }) => String(reason),
  "notifications/progress": ({ progress, total, message }) =>
    `${bar(Number(progress), Number(total))} ${String(progress)}/${String(total)}  ${String(message)}`,
  "tools/list": () => "",
  "tools/call": ({ name, arguments: args }) => `${String(name)}(${Object.values(fields(args)).join(", ")})`,
};

const RESULTS: { readonly [method: string]: (result: Fields) => string } = {
  "server/discover": ({ _meta, capabilities }) => `${nameOf(fields(_meta)[SERVER])} has ${keysOf(capabilities)}`,
  initialize: ({ serverInfo, capabilities }) => `${nameOf(serverInfo)} has ${keysOf(capabilities)}`,
  "tools/list": ({ tools }) =>
    `${(tools as []).length} tools: ${(tools as Fields[]).map(({ name }) => name).join(", ")}`,
  "tools/call": ({ isError, structuredContent, content }) =>
    structuredContent !== undefined && !isError
      ? short(structuredContent)
      : (content as { text?: string }[]).map(({ text }) => text).join(" "),
  "subscriptions/listen": () => "has ended",
};

/** An error of the call, or a result that says that the tool could not do it. */
export const isFailed = (message: Message): boolean =>
  "error" in message || ("result" in message && fields(message.result)["isError"] === true);

const fields = (value: unknown): Fields => (value ?? {}) as Fields;

/** JSON without its punctuation. */
function short(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key} ${short(member)}`)
    .join(", ");
}

const keysOf = (value: unknown): string => Object.keys(fields(value)).join(", ");

const nameOf = (value: unknown): string => `${String(fields(value)["name"])} ${String(fields(value)["version"])}`;

const bar = (done: number, of: number): string => "■".repeat(done) + "□".repeat(of - done);
