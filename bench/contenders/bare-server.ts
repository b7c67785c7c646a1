import { room } from "./room.ts";

interface Call {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly arguments?: typeof room.arguments;
    readonly _meta?: object;
  };
}

const serverInfo = { name: "office", version: "1.0.0" };
const capabilities = { tools: {} };
const complete = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": serverInfo } };
const tool = { name: room.name, description: room.description, inputSchema: { type: "object" } };

const methods = new Map<string, (params: NonNullable<Call["params"]>) => object>([
  ["initialize", ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo })],
  ["server/discover", () => ({ supportedVersions: ["2026-07-28"], capabilities, ttlMs: 0, cacheScope: "private" })],
  ["tools/list", () => ({ tools: [tool], ttlMs: 0, cacheScope: "private" })],
  ["tools/call", ({ arguments: args }) => ({ content: [{ type: "text", text: room.answer(args ?? room.arguments) }] })],
]);

/** Text in, text out; empty for a notification. */
export function answerTo(text: string): string {
  const { id, method, params = {} } = JSON.parse(text) as Call;
  if (id === undefined) return "";
  const result = methods.get(method)?.(params) ?? {};
  return JSON.stringify({ jsonrpc: "2.0", id, result: params._meta ? { ...complete, ...result } : result });
}

function lineFor(line: string): string {
  const answer = answerTo(line);
  return answer === "" ? "" : `${answer}\n`;
}

/** The limit: a server on stdin and stdout that checks nothing, with one write for all that came at once. */
export function serveBare(): void {
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    process.stdout.write(lines.map(lineFor).join(""));
  });
}
