// A server with every feature besides tools, for official clients to start.
import { McpServer } from "@x/mcp/server";
import { serveStdio } from "@x/transport-stdio";

const server = new McpServer({ name: "library", version: "1.0.0" }, { cache: { ttlMs: 1000 }, pageSize: 2 });

server.resource("library://rules", { mimeType: "text/plain", title: "Rules" }, () => "Be quiet");
server.resource("library://stamp", { mimeType: "image/png" }, () => new Uint8Array([0, 255, 128]));
server.resource(
  "library://clock",
  {
    watch: (_uri, updated) => {
      const timer = setInterval(updated, 20);
      return () => clearInterval(timer);
    },
  },
  () => "12:00",
);
server.resource(
  "library://books/{isbn}{?page}",
  { complete: { isbn: (typed) => ["978-1", "978-2"].filter((isbn) => isbn.startsWith(typed)) } },
  ({ isbn, page = "1" }) => (isbn.startsWith("978") ? `${isbn}, page ${page}` : undefined),
);
server.prompt(
  "recommend",
  {
    arguments: [{ name: "genre", required: true }, { name: "author" }],
    complete: { author: (typed, { genre = "" }) => [`${typed}/${genre}`] },
  },
  ({ genre }, ctx) => {
    ctx.log.warning(`someone likes ${genre}`, "desk");
    ctx.log.debug("not worth telling");
    return `Recommend something of ${genre}`;
  },
);

await serveStdio(server);
