// The limit: node:http, one JSON.parse and one JSON.stringify, no check of anything.
import { createServer } from "node:http";
import { answerTo } from "../contenders/bare-server.ts";
import { listen } from "../contenders/listen.ts";

listen(
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = answerTo(Buffer.concat(chunks).toString());
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      response.writeHead(200, headers).end(body);
    });
  }),
);
