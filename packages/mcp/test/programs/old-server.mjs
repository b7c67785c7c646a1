// A server of the handshake revisions that has never heard of another way: node old-server.mjs BEHAVIOUR FILE [MS]
// BEHAVIOUR is what it does about a request that it doesn't know: an error code, "exit", "silence", or "chatty", which
// is -32601 with much else on stdout. FILE gets a line for each start, MS is how long it takes to start.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";

const [behaviour, file, ms = "0"] = process.argv.slice(2);
appendFileSync(file, "started\n");
await setTimeout(Number(ms));
const chat = (...lines) => behaviour === "chatty" && console.log(lines.join("\n"));
chat("Welcome to the old server!", "", '{"level":"info","msg":"up"}', "[1,2", "{}");

let greeted = false;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "notifications/initialized") greeted = true;
  if (id === undefined) continue;
  chat(`got ${method}`);
  const answer = (part) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...part }));
  switch (method) {
    case "initialize":
      answer({
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "old", version: "1" },
        },
      });
      break;
    case "tools/call":
      if (params.name === "die") {
        console.error("I was told to die");
        process.exit(9);
      }
      answer({ result: { content: [{ type: "text", text: greeted ? "hello" : "who are you?" }] } });
      break;
    default:
      if (behaviour === "exit") process.exit(1);
      if (behaviour !== "silence") answer({ error: { code: Number(behaviour) || -32601, message: "What?" } });
  }
}
