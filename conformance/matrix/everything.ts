import { RpcError } from "@x/jsonrpc";
import type { Revision } from "@x/mcp";
import { McpServer, type ToolRegistration } from "@x/mcp/server";
import { z } from "zod";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";
const DAYS = ["monday", "tuesday", "wednesday"];

const Booking = z.object({ room: z.string(), seats: z.int().default(4) });
const Order = z.object({ drink: z.enum(["tea", "coffee"]).default("tea"), cups: z.int().min(1).max(9) });

/**
 * A server with every feature of the protocol, whose handlers know nothing of revisions and transports. What it has seen
 * is asked of it by the tool "seen", since it may run in another process.
 */
export function everything(revisions: readonly Revision[]): McpServer {
  const server = new McpServer(
    { name: "everything", version: "1.0.0", title: "Everything" },
    { revisions, instructions: "Try it all.", pageSize: 5, tasks: { pollInterval: 5 } },
  );
  addTools(server);
  addQuestions(server);
  addResources(server);
  server.prompt(
    "poem",
    {
      description: "A poem about something",
      arguments: [{ name: "about", required: true }, { name: "style" }],
      complete: { style: (typed) => ["haiku", "sonnet"].filter((style) => style.startsWith(typed)) },
    },
    ({ about, style = "free" }) => [
      { role: "user", content: { type: "text", text: `A ${style} poem about ${about}` } },
      { role: "assistant", content: { type: "audio", data: "AA==", mimeType: "audio/wav" } },
    ],
  );
  return server;
}

function addTools(server: McpServer): void {
  const aborted: string[] = [];
  const notes: unknown[] = [];
  let extra: ToolRegistration | undefined;

  server.tool("book", { description: "Books a room", input: Booking, output: Booking }, (booking) => booking);
  server.tool("count", { output: z.array(z.int()) }, () => [1, 2, 3]);
  server.tool("fail", {}, () => {
    throw new Error("out of paper");
  });
  server.tool("refuse", {}, () => {
    throw new RpcError(1001, "taken", { until: "noon" });
  });
  server.tool("contents", {}, () => [
    { type: "text", text: "text" },
    { type: "image", data: PIXEL, mimeType: "image/png" },
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "notes:monday", text: "within" } },
    { type: "resource_link", uri: "notes:tuesday", name: "tuesday" },
  ]);
  server.tool("report", {}, async (_args, { log, progress }) => {
    for (const done of [0.5, 1, 2]) {
      log.info(`at ${done}`);
      progress(done, 2, `step ${done}`);
      await Promise.resolve();
    }
    log.debug("done", "report");
    return "reported";
  });
  server.tool("wait", {}, async (_args, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    aborted.push(String(signal.reason));
    throw signal.reason;
  });
  server.tool("seen", {}, () => JSON.stringify({ aborted, notes }));
  server.tool("meta", {}, (_args, { meta, client }) => JSON.stringify({ meta, revision: client.revision.version }));
  server.tool("appear", {}, () => {
    extra = server.tool("extra", {}, () => "here");
    return "appeared";
  });
  server.tool("vanish", {}, () => {
    extra?.remove();
    return "vanished";
  });
  server.method("com.example/double", ({ n }) => ({ n: Number(n) * 2 }));
  server.notification("com.example/note", (params) => notes.push(params));
}

/** Tools that ask the client for something, and one that does so as a task. */
function addQuestions(server: McpServer): void {
  server.tool("order", {}, async (_args, { elicit, once }) => {
    const number = await once("number", () => 7);
    const answer = await elicit("order", { message: "What shall it be?", schema: Order });
    return answer.accepted ? `${number}: ${answer.content.cups} ${answer.content.drink}` : answer.action;
  });
  server.tool("pay", {}, async (_args, { elicitUrl }) => {
    const answer = await elicitUrl("pay", { message: "Please pay", url: "https://pay.example/7" });
    if (answer.accepted) await answer.completed();
    return answer.action;
  });
  server.tool("think", {}, async (_args, { sample }) => {
    const messages = [{ role: "user", content: { type: "text", text: "hm?" } }] as const;
    const { content, model } = await sample("think", { messages, maxTokens: 10 });
    return JSON.stringify([model, content]);
  });
  server.tool("look", {}, async (_args, { listRoots }) => (await listRoots()).map(({ uri }) => uri).join(" "));
  server.tool("both", {}, async (_args, { listRoots, sample }) => {
    const messages = [{ role: "user", content: { type: "text", text: "both?" } }] as const;
    const [roots, said] = await Promise.all([listRoots(), sample("said", { messages, maxTokens: 10 })]);
    return `${roots.length} ${said.model}`;
  });
  server.tool("print", { task: "optional" }, async (_args, { detach, elicit, progress }) => {
    await detach();
    progress(1, 2, "printing");
    const { content } = await elicit("paper", { message: "Which paper?", schema: Order.pick({ drink: true }) });
    return `printed on ${content?.drink}`;
  });
}

function addResources(server: McpServer): void {
  const updates = new Map<string, () => void>();
  const watch = (uri: string, updated: () => void): (() => void) => {
    updates.set(uri, updated);
    return () => updates.delete(uri);
  };
  server.resource("notes:pixel", { mimeType: "image/png", name: "pixel" }, () => Buffer.from(PIXEL, "base64"));
  server.resource(
    "notes:{day}{?lang}",
    {
      name: "note",
      mimeType: "text/plain",
      watch,
      list: () => DAYS.map((day) => ({ uri: `notes:${day}`, name: day })),
      complete: { day: (typed) => DAYS.filter((day) => day.startsWith(typed)) },
    },
    ({ day, lang = "en" }) => (DAYS.includes(day) ? `${day} in ${lang}` : undefined),
  );
  server.tool("touch", {}, () => {
    for (const updated of updates.values()) updated();
    return `${updates.size} watched`;
  });
}
