// Asking the client's model (client/sampling): what servers send, what clients take.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RpcError } from "@x/jsonrpc";
import type { CreateMessageParams, CreateMessageResult, SamplingMessage } from "@x/mcp";
import type { ConnectOptions } from "@x/mcp/client";
import { McpServer } from "@x/mcp/server";
import { both, joined, scripted } from "../joined.ts";
import { Wire, resultOf, stateless, textOf } from "../wire.ts";

type Fields = { readonly [name: string]: unknown };

const CREATE = "sampling/createMessage";
const said = (text: string): SamplingMessage => ({ role: "user", content: { type: "text", text } });
const plain: CreateMessageParams = { messages: [said("hi")], maxTokens: 10 };
const yes: CreateMessageResult = { role: "assistant", content: { type: "text", text: "yes" }, model: "m" };
const tool = { name: "add", inputSchema: { type: "object" } } as const;
const use = { type: "tool_use", id: "u", name: "add", input: { a: 1 } } as const;
const result = { type: "tool_result", toolUseId: "u", content: [{ type: "text", text: "3" }] } as const;

/** A server whose one tool asks this, and gives what came back. */
function asking(...all: readonly CreateMessageParams[]): McpServer {
  const server = new McpServer({ name: "asks", version: "1.0.0" });
  server.tool("ask", {}, async (_args, { sample }) => {
    const answers = [];
    for (const [index, params] of all.entries()) answers.push(await sample(`q${index}`, params));
    return JSON.stringify(answers);
  });
  return server;
}

/** What a server of 2025-11-25 sends to a client with these capabilities, and the tool's answer to an answer. */
async function sent(params: CreateMessageParams, sampling: object = {}): Promise<unknown> {
  const wire = await Wire.greeted(asking(params), "2025-11-25", { capabilities: { sampling } });
  void wire.ask("tools/call", { name: "ask" });
  const request = await wire.asked(CREATE);
  wire.close();
  return request.params;
}

const seen = (): never => assert.fail("the model has seen it");
const refuse = (): never => {
  throw new RpcError(-1, "User rejected sampling request");
};

describe("a server that asks the client's model", () => {
  test("sends a request of its own after a handshake (SAMP-02, SAMP-04, SAMP-25)", async () => {
    const whole: CreateMessageParams = {
      ...plain,
      modelPreferences: { hints: [{ name: "sonnet" }], costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
      systemPrompt: "Be brief",
      temperature: 0.1,
      stopSequences: ["."],
      metadata: { a: 1 },
    };
    const wire = await Wire.greeted(asking(whole), "2024-11-05", { capabilities: { sampling: {} } });
    const call = wire.ask("tools/call", { name: "ask" });
    const { params } = await wire.answer(CREATE, yes);
    assert.deepEqual(params, whole);
    assert.deepEqual(JSON.parse(textOf(await call)), [yes]);
  });

  test("is answered by the question without one (SAMP-03)", async () => {
    const meta = { "io.modelcontextprotocol/clientCapabilities": { sampling: {} } };
    const wire = Wire.to(asking(plain));
    const { inputRequests } = resultOf(await wire.ask("tools/call", stateless({ name: "ask" }, meta)));
    assert.deepEqual(inputRequests, { q0: { method: CREATE, params: plain } });
    const params = stateless({ name: "ask", inputResponses: { q0: yes } }, meta);
    assert.deepEqual(JSON.parse(textOf(await wire.ask("tools/call", params))), [yes]);
  });

  for (const version of both)
    test(`keeps nothing from one request to the next (SAMP-09, ${version})`, async () => {
      const lists: unknown[] = [];
      const client = await joined(asking(plain, { ...plain, messages: [said("there")] }), version, {
        sample: ({ messages }) => {
          lists.push(messages);
          return yes;
        },
      });
      await client.callTool("ask");
      assert.deepEqual(lists, [[said("hi")], [said("there")]]);
    });

  for (const [what, params, fault] of [
    ["messages (SAMP-04)", { maxTokens: 10 }, /"messages" must be a list/],
    ["maxTokens (SAMP-04)", { messages: [] }, /"maxTokens" must be a number/],
    [
      "a priority in range (SAMP-29)",
      { ...plain, modelPreferences: { costPriority: 1.5 } },
      /"costPriority" must be from 0 to 1/,
    ],
    ["a priority that is one (SAMP-29)", { ...plain, modelPreferences: { speedPriority: "high" } }, /"speedPriority"/],
    ["a context that is one (SAMP-31)", { ...plain, includeContext: "everything" }, /"includeContext" must be/],
    ["a role (SAMP-08)", { ...plain, messages: [{ content: said("").content }] }, /role of a message/],
    [
      "a known role (SAMP-08)",
      { ...plain, messages: [{ role: "system", content: said("").content }] },
      /role of a message/,
    ],
    ["content (SAMP-08)", { ...plain, messages: [{ role: "user" }] }, /content of a message must have a type/],
    [
      "text that is text (SAMP-37)",
      { ...plain, messages: [{ role: "user", content: { type: "text", text: 7 } }] },
      /"text" lacks/,
    ],
    [
      "a picture's data (SAMP-37)",
      { ...plain, messages: [{ role: "user", content: { type: "image", mimeType: "image/png" } }] },
      /"image" lacks a fitting "data"/,
    ],
    [
      "a sound's type (SAMP-37)",
      { ...plain, messages: [{ role: "user", content: { type: "audio", data: "" } }] },
      /"audio" lacks a fitting "mimeType"/,
    ],
    [
      "the result of each use (SAMP-17)",
      { ...plain, messages: [said("?"), { role: "assistant", content: use }] },
      /each use of a tool must have its result/,
    ],
    [
      "the result at once (SAMP-17)",
      { ...plain, messages: [{ role: "assistant", content: [use] }, said("later"), { role: "user", content: result }] },
      /each use of a tool must have its result/,
    ],
    [
      "results alone (SAMP-16)",
      {
        ...plain,
        messages: [
          { role: "assistant", content: use },
          { role: "user", content: [result, said("and").content] },
        ],
      },
      /must stand alone/,
    ],
    [
      "results from the user (SAMP-16)",
      {
        ...plain,
        messages: [
          { role: "assistant", content: use },
          { role: "assistant", content: result },
        ],
      },
      /must stand alone/,
    ],
    [
      "results of what was used (SAMP-18)",
      {
        ...plain,
        messages: [
          { role: "assistant", content: use },
          { role: "user", content: { ...result, toolUseId: "x" } },
        ],
      },
      /each use of a tool/,
    ],
    [
      "results of something (SAMP-18)",
      { ...plain, messages: [{ role: "user", content: result }] },
      /each use of a tool/,
    ],
    [
      "a tool's input (SAMP-10)",
      { ...plain, messages: [{ role: "assistant", content: { ...use, input: "1" } }] },
      /"tool_use" lacks a fitting "input"/,
    ],
  ] as const) {
    const wrong = params as unknown as CreateMessageParams;
    test(`sends nothing without ${what}`, async () => {
      const wire = await Wire.greeted(asking(wrong), "2025-11-25", {
        capabilities: { sampling: { tools: {}, context: {} } },
      });
      const answer = resultOf(await wire.ask("tools/call", { name: "ask" }));
      assert.equal(answer["isError"], true);
      assert.match((answer["content"] as { text: string }[])[0]?.text ?? "", fault);
      assert.equal(
        wire.received.some((message) => "method" in message),
        false,
      );
    });

    test(`and a client refuses it (-32602, SAMP-19) before the model sees it: ${what}`, async () => {
      const { peer } = await scripted("2025-11-25", {}, {}, { sample: seen, sampleTools: true });
      await assert.rejects(peer.request(CREATE, wrong), (error: RpcError) => {
        assert.equal(error.code, -32602);
        assert.match(error.message, fault);
        return true;
      });
    });
  }

  test("a conversation with tools, several at once, goes through with what belongs to it (SAMP-05, SAMP-07, SAMP-10, SAMP-22)", async () => {
    const _meta = { "com.example/cache": "abc" };
    const messages: SamplingMessage[] = [
      said("1 + 2, and 3 + 4?"),
      {
        role: "assistant",
        content: [
          { ...use, _meta },
          { ...use, id: "v" },
        ],
        _meta,
      },
      {
        role: "user",
        content: [
          { ...result, toolUseId: "v", structuredContent: 7 },
          { ...result, _meta, isError: true },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "3 and 7" }] },
      { role: "user", content: { type: "image", data: "AA==", mimeType: "image/png" } },
      { role: "user", content: { type: "audio", data: "AA==", mimeType: "audio/wav" } },
    ];
    const params: CreateMessageParams = { messages, maxTokens: 5, tools: [tool], toolChoice: { mode: "auto" } };
    assert.deepEqual(await sent(params, { tools: {} }), params);
  });

  for (const [what, params] of [
    ["tools", { ...plain, tools: [tool] }],
    ["a choice of tools", { ...plain, toolChoice: { mode: "none" } }],
  ] as const)
    test(`gives ${what} to no client that doesn't declare them (SAMP-11, SAMP-12)`, async () => {
      const wire = await Wire.greeted(asking(params), "2025-11-25", { capabilities: { sampling: {} } });
      const answer = await wire.ask("tools/call", { name: "ask" });
      assert.equal(textOf(answer), '"q0" was not asked: the client does not declare {"sampling":{"tools":{}}}');
      const meta = { "io.modelcontextprotocol/clientCapabilities": { sampling: {} } };
      const { error } = await Wire.to(asking(params)).ask("tools/call", stateless({ name: "ask" }, meta));
      assert.deepEqual([error?.code, error?.data], [-32021, { requiredCapabilities: { sampling: { tools: {} } } }]);
    });

  test("K03: asks nobody who doesn't declare sampling, and says so here", async () => {
    const wire = await Wire.greeted(asking(plain));
    assert.match(textOf(await wire.ask("tools/call", { name: "ask" })), /"q0" was not asked: .* \{"sampling":\{\}\}/);
    assert.equal(
      wire.received.some((message) => "method" in message),
      false,
    );
  });

  test("asks for context where the client has any, and not elsewhere (SAMP-31, SAMP-32)", async () => {
    const params = { ...plain, includeContext: "thisServer" } as const;
    assert.deepEqual(await sent(params, { context: {} }), params);
    assert.deepEqual(await sent(params), plain);
  });

  test("a refusal is an error that the handler sees, with the client's code (SAMP-20, BASE-36)", async () => {
    const server = asking(plain);
    const errors: unknown[] = [];
    server.tool("careful", {}, async (_args, { sample }) => {
      const answer = await sample("q", plain).catch((error: unknown) => (errors.push(error), undefined));
      return answer ? "sampled" : "not sampled";
    });
    const client = await joined(server, "2025-11-25", { sample: refuse });
    assert.deepEqual((await client.callTool("careful")).content, [{ type: "text", text: "not sampled" }]);
    assert.ok(RpcError.is(errors[0]));
    assert.equal(errors[0].code, -1);
    await assert.rejects(client.callTool("ask"), { code: -1, message: "User rejected sampling request" });
  });

  for (const [what, answer] of [
    ["no model", { role: "assistant", content: yes.content }],
    ["no role", { content: yes.content, model: "m" }],
    ["no content", { role: "assistant", model: "m" }],
    ["a list of blocks though it was given no tools", { ...yes, content: [yes.content] }],
  ] as const)
    test(`an answer with ${what} is none (SAMP-06, SAMP-07, K02)`, async () => {
      const wire = await Wire.greeted(asking(plain), "2025-11-25", { capabilities: { sampling: {} } });
      const call = wire.ask("tools/call", { name: "ask" });
      await wire.answer(CREATE, answer);
      assert.match(textOf(await call), /is not a result of sampling\/createMessage/);
    });

  test("K02: with tools an answer may be a list of blocks; whatever stopped it (SAMP-06)", async () => {
    const answer = { ...yes, content: [use, yes.content], stopReason: "toolUse" };
    for (const stopReason of ["toolUse", "endTurn", "something else"]) {
      const wire = await Wire.greeted(asking({ ...plain, tools: [tool] }), "2025-11-25", {
        capabilities: { sampling: { tools: {} } },
      });
      const call = wire.ask("tools/call", { name: "ask" });
      await wire.answer(CREATE, { ...answer, stopReason });
      assert.deepEqual(JSON.parse(textOf(await call)), [{ ...answer, stopReason }]);
    }
  });
});

describe("a client with a model", () => {
  const model: ConnectOptions = { sample: () => yes };

  for (const [given, declared] of [
    [{}, undefined],
    [model, {}],
    [{ ...model, sampleTools: true }, { tools: {} }],
  ] as const)
    test(`declares ${JSON.stringify(declared)}, at initialize or with each request (SAMP-01, SAMP-11, CAP-02)`, async () => {
      const offers: unknown[] = [];
      const initialize = ({ capabilities }: Fields): object => {
        offers.push((capabilities as Fields)["sampling"]);
        return { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };
      };
      await scripted("2025-11-25", {}, { initialize }, given);
      const { client, asked } = await scripted(
        "2026-07-28",
        { tools: {} },
        { "tools/list": () => ({ tools: [] }) },
        given,
      );
      await client.listTools();
      const meta = asked[0]?.params["_meta"] as Fields;
      offers.push((meta["io.modelcontextprotocol/clientCapabilities"] as Fields)["sampling"]);
      assert.deepEqual(offers, [declared, declared]);
    });

  test("without one answers -32601, and without tools refuses them (SAMP-13)", async () => {
    const none = await scripted("2025-11-25", {}, {});
    await assert.rejects(none.peer.request(CREATE, plain), { code: -32601 });
    const { peer } = await scripted("2025-11-25", {}, {}, model);
    await assert.rejects(peer.request(CREATE, { ...plain, tools: [tool] }), { code: -32602 });
    await assert.rejects(peer.request(CREATE, { ...plain, toolChoice: { mode: "auto" } }), { code: -32602 });
    assert.deepEqual(await peer.request(CREATE, plain), yes);
  });

  for (const [mode, content, fits] of [
    ["required", yes.content, false],
    ["required", use, true],
    ["required", [yes.content, use], true],
    ["none", use, false],
    ["none", [use], false],
    ["none", yes.content, true],
    ["auto", use, true],
    [undefined, yes.content, true],
  ] as const)
    test(`asked for toolChoice ${mode}, ${JSON.stringify(content)} ${fits ? "leaves" : "never leaves"} (SAMP-14, SAMP-15)`, async () => {
      const faults: unknown[] = [];
      const onError = (error: unknown): unknown => faults.push(error);
      const answer = { ...yes, content } as CreateMessageResult;
      const { peer } = await scripted("2025-11-25", {}, {}, { sample: () => answer, sampleTools: true, onError });
      const asked = peer.request(CREATE, { ...plain, tools: [tool], ...(mode && { toolChoice: { mode } }) });
      if (fits) return assert.deepEqual(await asked, answer);
      await assert.rejects(asked, { code: -32603 });
      assert.equal(String(faults[0]), `TypeError: "sample" was asked for toolChoice "${mode}"`);
    });

  test("what its model gives has to be a message (SAMP-06)", async () => {
    const faults: unknown[] = [];
    const answer = { role: "assistant", content: [yes.content], model: "m" } as unknown as CreateMessageResult;
    const options = { sample: () => answer, onError: (error: unknown) => faults.push(error) };
    const { peer } = await scripted("2025-11-25", {}, {}, options);
    await assert.rejects(peer.request(CREATE, plain), { code: -32603 });
    assert.equal(String(faults[0]), 'TypeError: "sample" must give a message: role, content and model');
  });
});
