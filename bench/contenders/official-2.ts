import { McpServer } from "@modelcontextprotocol/server";
import { room } from "./room.ts";
import { roomInput } from "./room-input.ts";

export function server(): McpServer {
  const made = new McpServer({ name: "office", version: "1.0.0" });
  made.registerTool(room.name, { description: room.description, inputSchema: roomInput }, (args) => ({
    content: [{ type: "text", text: room.answer(args) }],
  }));
  return made;
}

/** The same with further tools beside the one that is called, `tools` in all. */
export function serverOf(tools: number): McpServer {
  const made = server();
  for (let i = 1; i < tools; i++)
    made.registerTool(`tool-${i}`, { description: room.description, inputSchema: roomInput }, () => ({ content: [] }));
  return made;
}
