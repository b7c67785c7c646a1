// Runs in a browser: peers over a MessagePort to a worker, then the transport suite. Posts what it has seen to /seen.
import { RpcError, createPeer, implement } from "@x/jsonrpc";
import { transportSuite } from "@x/jsonrpc/testing";
import { type Port, messagePort } from "../testing/message-port.ts";

declare const Worker: new (
  url: string,
  options: { readonly type: "module" },
) => { postMessage(value: unknown, transfer: readonly unknown[]): void; terminate(): void };
declare const MessageChannel: new () => { readonly port1: Port; readonly port2: Port };

const seen: unknown[] = [];
try {
  await callWorker();
  await runSuite();
} catch (error) {
  seen.push(String((error as Error).stack));
}
await fetch("/seen", { method: "POST", body: JSON.stringify(seen) });

async function callWorker(): Promise<void> {
  const worker = new Worker("/worker.js", { type: "module" });
  const { port1, port2 } = new MessageChannel();
  worker.postMessage(undefined, [port2]);
  const peer = createPeer(messagePort(port1), { service: implement({ name: () => "page" }) });
  seen.push(await peer.request("subtract", [42, 23]), await peer.request("greet"));
  seen.push(await peer.batch((batch) => [batch.request("subtract", [3, 1]), batch.request("subtract", [1, 3])]));
  for (const method of ["nothing", "crash", "endless"])
    seen.push(await peer.request(method).catch((error: unknown) => (RpcError.is(error) ? error.code : error)));
  await peer.close(new Error("seen enough"));
  seen.push(await peer.request("subtract").catch(String));
  worker.terminate();
}

async function runSuite(): Promise<void> {
  const tests: (() => Promise<void>)[] = [];
  transportSuite(
    "MessagePort",
    () => {
      const { port1, port2 } = new MessageChannel();
      return [messagePort(port1), messagePort(port2)];
    },
    (name, run) => tests.push(() => run().catch((error: unknown) => void seen.push(`${name}: ${String(error)}`))),
  );
  for (const run of tests) await run();
  seen.push(tests.length > 10);
}
