import type { Bar, Contender, Subject } from "../harness/row.ts";
import { STEADY } from "../harness/steady.ts";
import { Program } from "./program.ts";
import { type Lifecycle, open, roomCalls } from "./raw-client.ts";

async function calling(name: string, lifecycle: Lifecycle, width: number): Promise<Subject> {
  const program = new Program(name, [STEADY]);
  await open(program, lifecycle);
  const request = roomCalls(lifecycle);
  return { shared: true, run: (n) => program.run(n, width, request), close: () => program.stop() };
}

/** Servers of one tool, each behind pipes, with `width` calls in flight. */
export const stdioServers = (width: number): readonly Contender[] => [
  { name: "ours, handshake", kind: "ours", prepare: () => calling("ours", "handshake", width) },
  { name: "ours, stateless", kind: "ours", prepare: () => calling("ours", "stateless", width) },
  { name: "official 1.x", kind: "peer", prepare: () => calling("official-1", "handshake", width) },
  { name: "official 2.x, handshake", kind: "peer", prepare: () => calling("official-2", "handshake", width) },
  { name: "official 2.x, stateless", kind: "peer", prepare: () => calling("official-2", "stateless", width) },
  { name: "bare", kind: "bare", prepare: () => calling("bare", "handshake", width) },
  { name: "bare, stateless", kind: "bare", prepare: () => calling("bare", "stateless", width) },
];

/** What part of the bare server's rate is wanted: of the one that reads and writes the same messages. */
export const partOfBare = (atLeast: number): readonly Bar[] => [
  { of: "ours, handshake", against: "bare", atLeast },
  { of: "ours, stateless", against: "bare, stateless", atLeast },
];
