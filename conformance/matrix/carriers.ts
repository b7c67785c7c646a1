import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, after } from "node:test";
import { fileURLToPath } from "node:url";
import { type Transport, memoryPair } from "@x/jsonrpc";
import { type Passing, tap } from "@x/jsonrpc/testing";
import { type Revision, revisions } from "@x/mcp";
import { fetchHandler, http, nodeListener } from "@x/transport-http";
import { command } from "@x/transport-stdio";
import { build } from "esbuild";
import { everything } from "./everything.ts";

/** A way from a client to a server. */
export interface Carrier {
  readonly name: string;
  /** Gives the client's end of a connection to a server of these revisions. What passes is kept where it can be seen. */
  connect(t: TestContext, served: readonly Revision[], passings: Passing[]): Promise<Transport | (() => Transport)>;
}

export const memory: Carrier = {
  name: "memory",
  async connect(t, served, passings) {
    const [near, far] = memoryPair();
    const server = everything(served);
    t.after(() => server.close());
    server.connect(far);
    return tap(near, (passing) => passings.push(passing));
  },
};

const folder = mkdtempSync(join(tmpdir(), "matrix-"));
after(() => rmSync(folder, { recursive: true }));
let bundled: Promise<string> | undefined;

/** A child process for each connection. It serves revisions of the list, from one on. */
export const stdio: Carrier = {
  name: "stdio",
  async connect(_t, served, passings) {
    const program = await (bundled ??= bundle());
    const args = [program, String(revisions.length - served.length)];
    return () => tap(command(process.execPath, args), (passing) => passings.push(passing));
  },
};

/** A bundle starts in a quarter of the time that a loader for TypeScript takes. */
async function bundle(): Promise<string> {
  const outfile = join(folder, "program.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("program.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@x/source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
  });
  return outfile;
}

export const nodeHttp: Carrier = {
  name: "HTTP by node:http",
  async connect(t, served) {
    const listener = nodeListener(everything(served));
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(async () => {
      await listener.close({ deadline: 0 });
      server.close();
      server.closeAllConnections();
    });
    return http(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  },
};

export const fetchHttp: Carrier = {
  name: "HTTP by fetch",
  async connect(t, served) {
    const handler = fetchHandler(everything(served));
    t.after(() => handler.close({ deadline: 0 }));
    return http("http://localhost:3000/mcp", { fetch: (url, init) => handler(new Request(url, init)) });
  },
};
