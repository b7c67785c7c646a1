// The next revision is a file, next.ts, and a line: its place in the list.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { memoryPair } from "@x/jsonrpc";
import { revisions } from "@x/mcp";
import { connect } from "@x/mcp/client";
import { fetchHttp, memory } from "./carriers.ts";
import { everything } from "./everything.ts";
import { next } from "./next.ts";
import { play } from "./play.ts";

const all = [next, ...revisions];

for (const carrier of [memory, fetchHttp])
  describe(`a revision that nobody knows yet, over ${carrier.name}`, { concurrency: 2 }, () => {
    test("peers that know it speak it (DISC-05, ERA-04)", (t) =>
      play(t, { carrier, spoken: all, served: all, shared: next }));

    for (const [index, shared] of revisions.entries()) {
      const older = revisions.slice(index);
      test(`a server that knows it and a client of ${shared.version} speak that`, (t) =>
        play(t, { carrier, spoken: older, served: all, shared }));
      test(`a client that knows it and a server of ${shared.version} speak that (DISC-05, STATE-10)`, (t) =>
        play(t, { carrier, spoken: all, served: older, shared }));
    }
  });

test("what it has no more is not there, on either side", async () => {
  const [near, far] = memoryPair();
  everything([next]).connect(far);
  const client = await connect(near, { name: "t", version: "1" }, { revisions: [next], roots: [], tasks: true });
  assert.deepEqual(client.capabilities.extensions, undefined);
  await assert.rejects(client.request("tasks/get", { taskId: "x" }), { code: -32601 });
  await assert.rejects(client.callTool("look"), { name: "MissingClientCapabilityError" });
  await client.close();
});
