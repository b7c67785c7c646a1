// The limit: node:http, one JSON.parse and one JSON.stringify, no check of anything.
import { createServer } from "node:http";
import { answerTo } from "../contenders/bare-server.ts";
import { listen } from "../contenders/listen.ts";

listen(
  createServer((request, response) => {
    // Clients that look for a stream, or end a session.
    if (request.method !== "POST") return response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = answerTo(Buffer.concat(chunks).toString());
      if (body === "") return response.writeHead(202).end();
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      return response.writeHead(200, headers).end(body);
    });
    return undefined;
  }),
);
