import assert from "node:assert/strict";
import type { Passing } from "@x/jsonrpc/testing";
import type { Revision } from "@x/mcp";

type Fields = { readonly [name: string]: unknown };

const META = "io.modelcontextprotocol/";

interface Said extends Fields {
  readonly by: "client" | "server";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
}

/**
 * What holds for every message of a conversation in a revision, whatever it was about. `passings` are a client's.
 * The ids are those of docs/spec/rules.md.
 */
export function checkConversation(revision: Revision, passings: readonly Passing[]): void {
  const messages = passings.map(({ direction, message }): Said => {
    assert.ok(!Array.isArray(message), "batches are sent by nobody (BASE-55)");
    return { ...(message as Fields), by: direction === "out" ? "client" : "server" };
  });
  const spoken = messages.slice(
    messages.findLastIndex(({ method }) => method === "server/discover" || method === "initialize"),
  );
  const requests = messages.filter((message) => message.method !== undefined && message.id !== undefined);
  const notifications = messages.filter((message) => message.method !== undefined && message.id === undefined);
  for (const message of messages) {
    assert.equal(message["jsonrpc"], "2.0", "BASE-01");
    if (message.method === undefined) assert.ok("result" in message !== "error" in message, "BASE-17");
    if ("result" in message) assert.ok(typeof message.result === "object" && message.result !== null, "BASE-18");
  }
  for (const message of notifications) assert.equal("id" in message, false, "BASE-08");
  for (const by of ["client", "server"] as const) {
    const ids = requests.filter((request) => request.by === by).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, `the ${by}'s ids never come again (BASE-04, BASE-05)`);
    assert.equal(ids.includes(null as never), false, "BASE-03");
  }
  checkCancelling(messages, revision);
  checkProgress(messages);
  if (revision.lifecycle === "stateless") checkStateless(spoken, revision);
  else checkHandshake(messages);
}

const key = (by: string, id: unknown): string => `${by} ${typeof id} ${String(id)}`;

/** Only requests of one's own that are still open are cancelled; a server cancels subscriptions alone. */
function checkCancelling(messages: readonly Said[], { lifecycle }: Revision): void {
  const open = new Map<string, Said>();
  const other = { client: "server", server: "client" } as const;
  for (const message of messages) {
    const { by, id, method, params } = message;
    if (method !== undefined && id !== undefined) open.set(key(by, id), message);
    else if (method === undefined) open.delete(key(other[by], id));
    if (method !== "notifications/cancelled") continue;
    const { requestId, reason } = params ?? {};
    assert.ok(reason === undefined || typeof reason === "string", "CANC-01");
    if (by === "client" || lifecycle === "handshake") {
      const cancelled = open.get(key(by, requestId));
      assert.ok(cancelled, "what is cancelled was asked, and not answered (CANC-02, CANC-16)");
      assert.notEqual(cancelled.method, "initialize", "CANC-03");
    } else assert.match(String(requestId), /^listen-/, "CANC-18");
  }
}

/** Progress has the token of a request, and rises. */
function checkProgress(messages: readonly Said[]): void {
  const tokens = new Map<unknown, number>();
  for (const { method, params } of messages) {
    const { progressToken } = (params?.["_meta"] ?? {}) as Fields;
    if (progressToken !== undefined && method !== "notifications/progress") {
      assert.equal(tokens.has(progressToken), false, "no two requests share a token (PROG-03)");
      tokens.set(progressToken, -Infinity);
    }
    if (method !== "notifications/progress") continue;
    const { progressToken: token, progress } = params as { progressToken: unknown; progress: number };
    const before = tokens.get(token);
    assert.ok(before !== undefined, "a token that a request has brought (PROG-04)");
    assert.ok(progress > before, "PROG-05");
    tokens.set(token, progress);
  }
}

function checkStateless(messages: readonly Said[], { version }: Revision): void {
  for (const { by, id, method, params, result } of messages) {
    const isRequest = method !== undefined && id !== undefined;
    if (by === "server") assert.equal(isRequest, false, "a server sends no requests (BASE-12, STDIO-13, MRTR-07)");
    if (by === "client") assert.ok(method !== undefined, "a client sends no answers (BASE-13, STDIO-12)");
    if (by === "client" && id === undefined)
      assert.ok(method === "notifications/cancelled" || method?.startsWith("com.example/"), "PROG-15");
    if (isRequest) {
      const meta = params?.["_meta"] as Fields;
      assert.equal(meta[`${META}protocolVersion`], version, "STATE-01, BASE-14");
      assert.equal(typeof meta[`${META}clientCapabilities`], "object", "STATE-02");
      assert.equal((meta[`${META}clientInfo`] as Fields)["name"], "host", "STATE-03");
    }
    if (result) {
      assert.equal(typeof result["resultType"], "string", "BASE-20");
      assert.equal(((result["_meta"] as Fields)[`${META}serverInfo`] as Fields)["name"], "everything", "STATE-11");
    }
  }
}

function checkHandshake(messages: readonly Said[]): void {
  const asked = messages.filter(({ by, method, id }) => by === "client" && method !== undefined && id !== undefined);
  assert.equal(asked.find(({ method }) => method !== "server/discover")?.method, "initialize", "LIFE-01");
  const initialized = messages.findIndex(({ method }) => method === "notifications/initialized");
  assert.equal(messages.filter(({ method }) => method === "notifications/initialized").length, 1, "LIFE-04");
  const early = messages.slice(0, initialized).filter(({ by, method }) => by === "server" && method !== undefined);
  assert.deepEqual(early, [], "LIFE-06");
  for (const { by, result } of messages) {
    if (by !== "server" || !result) continue;
    for (const member of ["resultType", "ttlMs", "cacheScope"])
      assert.equal(member in result, false, `LIFE-15: ${member}`);
  }
}
