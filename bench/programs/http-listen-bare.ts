// The limit: node:http, responses that are left open, and a Set of them.
import { type ServerResponse, createServer } from "node:http";
import { listen } from "../contenders/listen.ts";

const open = new Set<ServerResponse>();

function tell(response: ServerResponse, method: string): void {
  response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", method, params: {} })}\n\n`);
}

listen(
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      JSON.parse(Buffer.concat(chunks).toString());
      chunks.length = 0;
      open.add(response.writeHead(200, { "content-type": "text/event-stream" }));
      response.on("close", () => open.delete(response));
      tell(response, "notifications/subscriptions/acknowledged");
    });
  }),
  () => {
    for (const response of open) tell(response, "notifications/tools/list_changed");
  },
);
