import { McpServer } from "@x/mcp/server";
import { room } from "./room.ts";
import { roomInput } from "./room-input.ts";

export function server(): McpServer {
  const made = new McpServer({ name: "office", version: "1.0.0" });
  made.tool(room.name, { description: room.description, input: roomInput }, room.answer);
  return made;
}

/** The same with further tools beside the one that is called, `tools` in all. */
export function serverOf(tools: number): McpServer {
  const made = server();
  for (let i = 1; i < tools; i++)
    made.tool(`tool-${i}`, { description: room.description, input: roomInput }, room.answer);
  return made;
}
