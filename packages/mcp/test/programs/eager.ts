// A server with a tool that answers, one that never does, and a notification of its own.
import { McpServer } from "@x/mcp/server";

export interface Eager {
  readonly server: McpServer;
  /** What the server did, in order. */
  readonly done: string[];
}

export function eager(): Eager {
  const done: string[] = [];
  const server = new McpServer({ name: "eager", version: "1.0.0" });
  server.tool("say", {}, ({ text }) => {
    done.push(`said ${String(text)}`);
    return String(text);
  });
  server.tool("wait", {}, (_args, { signal }) => {
    done.push("waiting");
    signal.addEventListener("abort", () => done.push("gave up"));
    return new Promise(() => {});
  });
  server.notification("com.example/mark", () => void done.push("marked"));
  return { server, done };
}
