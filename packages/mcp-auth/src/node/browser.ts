import { spawn } from "node:child_process";

/** What opens a page, by platform. None of them is a shell. */
const OPENERS: { readonly [platform: string]: readonly [program: string, ...args: string[]] } = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** ms within which an opener that can't open anything says so. */
const PATIENCE = 1000;

/** Opens a page in the person's browser. Rejects where there is none. */
export async function openBrowser(page: string): Promise<void> {
  const { protocol, href } = new URL(page);
  if (protocol !== "https:" && protocol !== "http:") throw new TypeError(`Expected a page of the web, got ${protocol}`);
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, href], { stdio: "ignore", detached: true });
  child.unref();
  await new Promise<void>((resolve, reject) => {
    const opened = setTimeout(resolve, PATIENCE);
    child.once("error", reject);
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} exited with code ${code}`))));
    child.once("close", () => clearTimeout(opened));
  });
}
