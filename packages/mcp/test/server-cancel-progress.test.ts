import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type McpContext, McpServer } from "@x/mcp/server";
import { type Answer, Wire, stateless, textOf } from "./wire.ts";

type Step = (context: McpContext) => string | Promise<string>;

/** A server whose one tool does what the test wants. */
function serverThat(step: Step): McpServer {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  server.tool("work", {}, (_, context) => step(context));
  return server;
}

/** The tool is running. */
interface Working {
  readonly wire: Wire;
  readonly context: McpContext;
  readonly release: (text: string) => void;
  readonly answer: Promise<Answer>;
}

const eras = [
  {
    name: "handshake",
    connect: (server: McpServer) => Wire.greeted(server),
    params: (params: Params): object => params,
  },
  {
    name: "stateless",
    connect: (server: McpServer) => Promise.resolve(Wire.to(server)),
    params: ({ _meta, ...params }: Params) => stateless(params, _meta),
  },
];

type Params = { readonly name?: string; readonly _meta?: object };

for (const { name, connect, params } of eras)
  describe(`cancelling, ${name}`, () => {
    // oxlint-disable consistent-function-scoping -- both differ from era to era
    /** Starts the tool as request 7 and gives its context. */
    async function working(): Promise<Working> {
      let release!: (text: string) => void;
      const ended = new Promise<string>((resolve) => (release = resolve));
      let started!: (context: McpContext) => void;
      const begun = new Promise<McpContext>((resolve) => (started = resolve));
      const wire = await connect(serverThat((context) => (started(context), ended)));
      const answer = wire.ask("tools/call", params({ name: "work", _meta: { progressToken: "p" } }), 7);
      return { wire, context: await begun, release, answer };
    }

    /** Whatever has been sent until now has arrived. */
    const settled = (wire: Wire): Promise<unknown> => wire.ask("no/such", params({}));

    test("aborts the signal with the reason, and nothing more is sent for the request (CANC-05, CANC-19, CANC-20)", async () => {
      const { wire, context, release } = await working();
      assert.equal(context.signal.aborted, false);
      wire.notify("notifications/cancelled", { requestId: 7, reason: "seen enough" });
      await settled(wire);
      assert.equal(context.signal.aborted, true);
      assert.match(String(context.signal.reason), /seen enough/);
      wire.received.length = 0;
      context.progress(1, 2);
      release("too late");
      const last = await settled(wire);
      assert.deepEqual(wire.received, [last]);
    });

    test("what the tool throws when it gives up goes nowhere", async () => {
      let started!: () => void;
      const begun = new Promise<void>((resolve) => (started = resolve));
      const wire = await connect(
        serverThat(
          ({ signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener("abort", () => reject(new Error("gave up")));
              started();
            }),
        ),
      );
      void wire.ask("tools/call", params({ name: "work" }), 7);
      await begun;
      wire.received.length = 0;
      wire.notify("notifications/cancelled", { requestId: 7 });
      const last = await settled(wire);
      assert.deepEqual(wire.received, [last]);
    });

    test("B09: what is unknown, finished or malformed is ignored (CANC-06, CANC-10, CANC-21)", async () => {
      const { wire, context, release, answer } = await working();
      for (const requestId of [99, "7", null, {}, undefined]) wire.notify("notifications/cancelled", { requestId });
      wire.notify("notifications/cancelled");
      await settled(wire);
      assert.equal(context.signal.aborted, false);
      release("done");
      await answer;
      wire.received.length = 0;
      wire.notify("notifications/cancelled", { requestId: 7 });
      const last = await settled(wire);
      assert.deepEqual(wire.received, [last]);
    });

    test("a request that is answered in the moment it is cancelled is answered once or not at all (CANC-08)", async () => {
      const { wire, release } = await working();
      release("done");
      wire.notify("notifications/cancelled", { requestId: 7 });
      await settled(wire);
      assert.ok(wire.received.filter((message) => "id" in message && message.id === 7).length <= 1);
    });

    test("D06: the end of the connection aborts the signal", async () => {
      const { wire, context } = await working();
      const aborted = new Promise((resolve) => context.signal.addEventListener("abort", resolve));
      wire.close();
      await aborted;
      assert.match(String(context.signal.reason), /connection has ended/);
    });
  });

for (const { name, connect, params } of eras)
  describe(`progress, ${name}`, () => {
    const work = { name: "work" };

    for (const token of ["p", 0, "", 5])
      test(`goes to the token ${JSON.stringify(token)} (PROG-01, PROG-04, BASE-61)`, async () => {
        const wire = await connect(
          serverThat((context) => {
            context.progress(0.5);
            context.progress(1, 4, "first");
            return "done";
          }),
        );
        await wire.ask("tools/call", params({ ...work, _meta: { progressToken: token } }));
        assert.deepEqual(wire.heard("notifications/progress"), [
          { progressToken: token, progress: 0.5 },
          { progressToken: token, progress: 1, total: 4, message: "first" },
        ]);
      });

    test("without a token, or with one that is none, there is none (PROG-01, PROG-02)", async () => {
      const wire = await connect(serverThat((context) => (context.progress(1, 2), "done")));
      await wire.ask("tools/call", params(work));
      for (const progressToken of [null, {}, true])
        assert.equal(textOf(await wire.ask("tools/call", params({ ...work, _meta: { progressToken } }))), "done");
      assert.deepEqual(wire.heard("notifications/progress"), []);
    });

    test("only rising values are sent (PROG-05)", async () => {
      const wire = await connect(
        serverThat((context) => {
          for (const value of [1, 1, 0.5, 2, Number.NaN, -1, 3]) context.progress(value);
          return "done";
        }),
      );
      await wire.ask("tools/call", params({ ...work, _meta: { progressToken: "p" } }));
      const values = wire.heard("notifications/progress").map((sent) => (sent as { progress: number }).progress);
      assert.deepEqual(values, [1, 2, 3]);
    });

    test("it comes before the answer, and nothing after it (PROG-08, PROG-12)", async () => {
      let context!: McpContext;
      const wire = await connect(
        serverThat((own) => {
          (context = own).progress(1);
          return "done";
        }),
      );
      const answer = await wire.ask("tools/call", params({ ...work, _meta: { progressToken: "p" } }));
      context.progress(2);
      const last = await wire.ask("no/such", params({}));
      assert.deepEqual(wire.received.slice(1), [answer, last]);
      assert.equal(wire.heard("notifications/progress").length, 1);
    });

    test("nothing after an answer that is an error (PROG-12)", async () => {
      let context!: McpContext;
      const wire = await connect(
        serverThat((own) => {
          context = own;
          throw new Error("broken");
        }),
      );
      await wire.ask("tools/call", params({ ...work, _meta: { progressToken: "p" } }));
      context.progress(1);
      await wire.ask("no/such", params({}));
      assert.deepEqual(wire.heard("notifications/progress"), []);
    });
  });
