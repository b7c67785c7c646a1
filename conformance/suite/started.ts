import { spawn } from "node:child_process";
import { once } from "node:events";

/** A server in a process of its own. */
export interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts fixtures/mcp-server over HTTP; `program` is what Node is given. Rejects where the server ends at once. */
export async function started(...program: readonly string[]): Promise<Started> {
  const child = spawn(process.execPath, [...program, "--http", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      const [, found] = /listening on (\S+)\n/.exec((said += text)) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`The server has ended with code ${code}: ${said}`)));
  });
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}
