import type { Decoder } from "@x/jsonrpc/framing";
import type { NodeReadable } from "./node-streams.ts";

/** Feeds a stream to a decoder. Resolves at the stream's end; rejects when it breaks or is destroyed before. */
export function readInto(decoder: Decoder, stream: NodeReadable): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = (): void => reject(new Error("The stream was closed before its end"));
    stream.on("data", (chunk) =>
      // A stream whose encoding somebody has set gives strings.
      decoder.push(typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Uint8Array)),
    );
    stream.on("end", () => {
      decoder.end();
      resolve();
    });
    stream.on("error", reject);
    stream.on("close", cut);
    if (stream.readableEnded) resolve();
    else if (stream.destroyed) cut();
  });
}
