// A server for the tests. Its one argument is a JSON object of serveStdio's options and of the switches below.
import { type Context, implement } from "@x/jsonrpc";
import { contentLength, newline } from "@x/jsonrpc/framing";
import { serveStdio, stdio } from "@x/transport-stdio";
import type { Tools } from "../tools.ts";

const { setEncoding, forget, cleanup, drain, framing, ...options } = JSON.parse(process.argv[2] ?? "{}");
if (setEncoding) process.stdin.setEncoding("utf8");
if (forget) setInterval(() => {}, 1000);

const service = implement<Tools>({
  echo: (params) => params,
  sleep: ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, ms)),
  stubborn: (_, context: Context) =>
    new Promise((resolve) => context.signal.addEventListener("abort", () => resolve("aborted"))),
  big: ({ bytes }) => "x".repeat(bytes),
  print: ({ text }) => console.log(text),
  environment: () => process.env as Record<string, string>,
  kill: ({ signal }) => void process.kill(process.pid, signal),
  again() {
    try {
      stdio();
      return "";
    } catch (error) {
      return String(error);
    }
  },
  breakStdin: () => void process.stdin.destroy(new Error("the cable is torn")),
  exit: ({ code }) => process.exit(code),
});

console.error("started");
await serveStdio(
  { connect: (transport) => service.connect(transport, { drain }) },
  { ...options, framing: framing === "contentLength" ? contentLength : newline },
);
console.error("served");
if (cleanup) await new Promise((resolve) => setTimeout(resolve, cleanup));
if (cleanup) console.error("cleaned up");
