import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Message, type Transport, memoryPair, stringify } from "@x/jsonrpc";
import { contentLength, newline } from "@x/jsonrpc/framing";
import { rpcService } from "../../../fixtures/rpc-service.ts";
import { type Exchange, type Vector, exchangeOver, runVectors, vectors } from "../../../fixtures/vectors/run.ts";
import { ByteTransport } from "./byte-transport.ts";

const service = rpcService({ onError: () => {} });

describe("the vectors hold", () => {
  test("for a service, a text at a time", () => runVectors((text) => service.handle(text)));

  for (const [name, framing] of [
    ["newline", newline],
    ["Content-Length", contentLength],
  ] as const)
    test(`for a peer over bytes, ${name} framing`, async () => {
      const transport = new ByteTransport(framing);
      const peer = service.connect(transport);
      await runVectors(
        exchangeOver(
          (text) => transport.arrive(text),
          (take) => transport.listen(take),
        ),
      );
      await peer.close();
    });

  test("for a peer over the memory pair, as far as they are JSON", async () => {
    const [near, far] = memoryPair();
    const peer = service.connect(near);
    const rows = vectors.filter((row) => isJson(row.send));
    assert.ok(rows.length > 30);
    await runVectors(
      exchangeOver(
        (text) => send(far, text),
        (take) => listen(far, take),
      ),
      rows,
    );
    await peer.close();
  });
});

describe("the runner", () => {
  for (const [what, expect, reply] of [
    ["another result", { id: 1, result: 1 }, { id: 1, result: 2 }],
    ["a reply to a notification", null, { id: 1, result: 2 }],
    ["no reply", { id: 1, result: 1 }, undefined],
    ["one member more", { id: 1, result: 1 }, { id: 1, result: 1, more: 1 }],
    ["one member less", { id: 1, error: { code: 1, message: "*" } }, { id: 1, error: { code: 1 } }],
    ["a message that is no string", { error: { message: "*" } }, { error: { message: 1 } }],
    ["a batch that lacks one", [{ id: 1 }, { id: 2 }], [{ id: 2 }]],
    ["a batch that has one twice", [{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 2 }]],
    ["a single reply to a batch", [{ id: 1 }], { id: 1 }],
    ["what must be absent", { error: "*", $absent: "secret" }, { error: "a secret" }],
  ] as const)
    test(`finds ${what}`, () => assert.rejects(runVectors(replying(reply), [rowFor(expect)])));

  test("takes a batch in any order", () =>
    runVectors(replying([{ id: null, message: "a" }, { id: 2 }, { id: null, message: "b" }]), [
      rowFor([{ id: 2 }, { id: null, message: "*" }, { id: null, message: "*" }]),
    ]));
});

const rowFor = (expect: unknown): Vector => ({ name: "one", send: "", expect });
const replying =
  (reply: unknown): Exchange =>
  () =>
    Promise.resolve(reply === undefined ? undefined : JSON.stringify(reply));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What is no message can be sent as an object that turns into it. */
function send(transport: Transport, text: string): void {
  void transport.send({ toJSON: () => JSON.parse(text) } as unknown as Message);
}

function listen(transport: Transport, take: (text: string) => void): void {
  void transport.open((message) => take(stringify(message as Message)));
}
