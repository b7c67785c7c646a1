import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Outcome, run } from "../../../scripts/run.ts";

const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));
const host = (...args: string[]): Promise<Outcome> =>
  run(process.execPath, [...process.execArgv, pathOf("host.ts"), ...args], { timeout: 60_000 });

/**
 * A transcript without what differs from run to run: times, process ids, folders, which of two bookings wins, when
 * stderr is read, and how much of the call that is given up still arrives.
 */
function steady(transcript: string): string[] {
  const lines = transcript
    .trim()
    .split("\n")
    .filter((line) => !/bookings are in|\(7\) +notifications\/progress/.test(line))
    .map((line) => line.replace(/^ +[\d.]+ /, "").replace(/process \d+|^\d+ messages in .*/, "…"))
    .map((line) => (/booking id|is taken/.test(line) ? line.replace(/[45]/, "…") : line));
  const lost = lines.findIndex((line) => line.includes("is taken"));
  if (lines[lost + 1]?.includes("booking id")) lines.splice(lost, 2, lines[lost + 1]!, lines[lost]!);
  return lines;
}

/** What both lifecycles have in common. */
const rest = (lines: string[]): string[] =>
  lines.filter((line) => !/initialize|list_changed|discover|listen|Meet/.test(line));

describe("pnpm example", { concurrency: true }, () => {
  test("prints the conversation that the README shows, and leaves nothing behind", async () => {
    const { ok, output, stdout } = await host();
    assert.ok(ok, output);
    assert.equal(output, stdout);
    const [, shown] = /```text\n(.*?)```/s.exec(readFileSync(pathOf("README.md"), "utf8")) ?? [];
    assert.deepEqual(steady(stdout), steady(shown!));

    const [, pid] = /process (\d+) has ended/.exec(stdout)!;
    assert.throws(() => process.kill(Number(pid), 0), { code: "ESRCH" });
    const [, folder] = /server: bookings are in .*(office-\w+)/.exec(stdout)!;
    assert.ok(!readdirSync(tmpdir()).includes(folder!));
  });

  test("--lifecycle handshake: another beginning, unasked list_changed, all else the same", async () => {
    const [stateless, handshake] = await Promise.all([host(), host("--lifecycle", "handshake")]);
    assert.ok(handshake.ok, handshake.output);
    const lines = steady(handshake.stdout);
    assert.deepEqual(
      lines.filter((line) => /initialize|list_changed/.test(line)),
      [
        " →  1          initialize                in 2025-11-25, from host 1.0.0",
        " ←  1          initialize                office 1.0.0 has logging, tools",
        " →             notifications/initialized",
        " ←             notifications/tools/list_changed",
      ],
    );
    assert.deepEqual(rest(lines), rest(steady(stateless.stdout)));
  });

  test("a reader that stops early harms nobody", async () => {
    const child = spawn(process.execPath, [...process.execArgv, pathOf("host.ts")], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaints = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = (await once(child, "close")) as [number | null];
    assert.deepEqual([code, complaints], [0, ""]);
  });

  test("an unknown lifecycle is refused by name", async () => {
    const { ok, output } = await host("--lifecycle", "circular");
    assert.ok(!ok);
    assert.match(output, /--lifecycle must be stateless or handshake, got circular/);
  });
});
