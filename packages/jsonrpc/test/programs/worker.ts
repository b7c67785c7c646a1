// The other side of page.ts: a worker that serves each port it is given.
import { type Context, implement } from "@x/jsonrpc";
import { deduplicate, timeLimit } from "@x/jsonrpc/middleware";
import { type Port, messagePort } from "../testing/message-port.ts";

declare function addEventListener(
  type: "message",
  listener: (event: { readonly ports: readonly Port[] }) => void,
): void;

const service = implement({
  subtract: ([a, b]: [number, number]) => a - b,
  greet: async (_: unknown, context: Context) => `hello ${String(await context.request("name"))}`,
  endless: () => new Promise(() => {}),
  crash: () => {
    throw new Error("a secret");
  },
}).use(timeLimit(200), deduplicate());

addEventListener("message", ({ ports: [port] }) => {
  if (port) service.connect(messagePort(port), { onError: () => {} });
});
