// Every client revision × every server revision × every transport: one scenario, and the same handlers for all.
// Where messages can be seen, invariants.ts judges each of them: BASE-01, BASE-03, BASE-04, BASE-05, BASE-08, BASE-12,
// BASE-13, BASE-14, BASE-17, BASE-18, BASE-20, STATE-01, STATE-02, STATE-03, STATE-11, LIFE-01, LIFE-04, LIFE-06, LIFE-15,
// CANC-01, CANC-02, CANC-03, CANC-16, CANC-18, PROG-03, PROG-04, PROG-05, PROG-15, MRTR-07, STDIO-12, STDIO-13, STDIO-29.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { memoryPair } from "@x/jsonrpc";
import { type Revision, revisions } from "@x/mcp";
import { fetchHttp, memory, nodeHttp, stdio } from "./carriers.ts";
import { everything } from "./everything.ts";
import { Host } from "./host.ts";
import { play } from "./play.ts";

const warnings: string[] = [];
process.on("warning", ({ message }) => warnings.push(message));
after(() => assert.deepEqual(warnings, []));

/** Peers as they are in the field: each knows a revision and all before it. */
const upTo = revisions.map((_, index) => revisions.slice(index));

for (const carrier of [memory, stdio, nodeHttp, fetchHttp])
  describe(`over ${carrier.name}`, { concurrency: 2 }, () => {
    for (const spoken of upTo)
      for (const served of upTo) {
        const [shared] = spoken.length < served.length ? spoken : served;
        assert.ok(shared);
        test(`a client of ${spoken[0]?.version} and a server of ${served[0]?.version} speak ${shared.version}`, (t) =>
          play(t, { carrier, spoken, served, shared }));
      }
  });

const only = (version: string): Revision[] => revisions.filter((revision) => revision.version === version);

describe("peers that share nothing", () => {
  for (const [spoken, served, message] of [
    ["2026-07-28", "2025-11-25", /"server\/discover" came before "initialize"/],
    ["2025-11-25", "2026-07-28", /Unsupported protocol version/],
    ["2024-11-05", "2025-06-18", /answered initialize with version "2025-06-18"; this client speaks 2024-11-05/],
  ] as const)
    test(`a client of ${spoken} alone and a server of ${served} alone say so (LIFE-13, LIFE-19, ERA-08, ERA-15)`, async () => {
      const [near, far] = memoryPair();
      everything(only(served)).connect(far);
      await assert.rejects(new Host().connect(near, { revisions: only(spoken) }), { message });
    });
});
