import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, createContextKey, trace as otel } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  AlwaysOnSampler,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { type Context, RpcError, createPeer, implement, memoryPair } from "@x/jsonrpc";
import { type Tracer, log, retry, trace } from "@x/jsonrpc/middleware";
import { codeOf, join as joinFarEnd, request, settled, success } from "../far-end.ts";
import { join } from "./joined.ts";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({
  sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  spanProcessors: [new SimpleSpanProcessor(exporter)],
});
const tracer = provider.getTracer("test");
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

beforeEach(() => exporter.reset());
after(() => provider.shutdown());

const spanOf = (kind: SpanKind, name: string): ReadableSpan => {
  const span = exporter.getFinishedSpans().find((each) => each.kind === kind && each.name === name);
  assert.ok(span, `no ${SpanKind[kind]} span ${name}`);
  return span;
};

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const PARENT = `00-${TRACE}-${SPAN}-01`;

interface Shop {
  price(params: { item: string }): unknown;
}

/** What a handler finds, for a request with these headers in `_meta`. */
async function received(
  _meta: unknown,
  handler: (call: Context) => unknown = () => null,
): Promise<ReadableSpan | undefined> {
  const service = implement<Shop>({ price: (_params, call) => handler(call) }).use(trace(tracer));
  const { peer, far } = joinFarEnd({ service });
  await far.ask(request(1, "price", { item: "a", _meta }));
  await peer.close();
  return exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER);
}

test("M12: the handler's span is a child of the caller's, and calls from inside the handler are its children", async () => {
  const [near, far] = memoryPair();
  const service = implement<Shop>({
    price: async ({ item }, call) => [item, await call.request("discount", { item }), call.state["traceId"]],
  });
  const server = service.use(trace(tracer)).connect(far).use(trace(tracer));
  const discounts = implement<{ discount(params: object): number }>({ discount: () => 5 }).use(trace(tracer));
  const client = createPeer<Shop>(near, { service: discounts }).use(trace(tracer));

  const traceId = await tracer.startActiveSpan("order", async (span) => {
    const [item, discount, seen] = (await client.request("price", { item: "a" })) as unknown[];
    assert.deepEqual([item, discount, seen], ["a", 5, span.spanContext().traceId]);
    span.end();
    return span.spanContext().traceId;
  });
  const chain = [
    spanOf(SpanKind.INTERNAL, "order"),
    spanOf(SpanKind.CLIENT, "price"),
    spanOf(SpanKind.SERVER, "price"),
    spanOf(SpanKind.CLIENT, "discount"),
    spanOf(SpanKind.SERVER, "discount"),
  ];
  for (const [index, span] of chain.entries()) {
    assert.equal(span.spanContext().traceId, traceId);
    assert.equal(span.parentSpanContext?.spanId, chain[index - 1]?.spanContext().spanId);
  }
  assert.equal(chain[2]?.parentSpanContext?.isRemote, true);
  await client.close();
  await server.close();
});

test("attributes are those of the conventions for JSON-RPC", async () => {
  const { client, server } = join(implement({ price: () => 1 }).use(trace(tracer)));
  client.use(trace(tracer));
  await client.request("price", {});
  for (const kind of [SpanKind.CLIENT, SpanKind.SERVER])
    assert.deepEqual(spanOf(kind, "price").attributes, {
      "rpc.system.name": "jsonrpc",
      "rpc.method": "price",
      "jsonrpc.protocol.version": "2.0",
      "jsonrpc.request.id": "1",
    });
  await client.close();
  await server.close();
});

const error = (message: string): object => ({ code: SpanStatusCode.ERROR, message });

test("errors set the status, their code or name is the type", async () => {
  const service = implement({
    taken() {
      throw new RpcError(1001, "taken");
    },
    crash: () => Promise.reject(new TypeError("broken")),
    odd: () => Promise.reject(undefined as unknown as Error),
  }).use(trace(tracer));
  const { client, server } = join(service);
  client.use(trace(tracer));
  for (const method of ["taken", "crash", "odd"]) await assert.rejects(client.request(method, {}));
  const facts = (kind: SpanKind, name: string): unknown[] => {
    const { status, attributes } = spanOf(kind, name);
    return [status, attributes["error.type"], attributes["rpc.response.status_code"]];
  };
  assert.deepEqual(facts(SpanKind.SERVER, "taken"), [error("taken"), "1001", "1001"]);
  assert.deepEqual(facts(SpanKind.CLIENT, "taken"), [error("taken"), "1001", "1001"]);
  assert.deepEqual(facts(SpanKind.SERVER, "crash"), [error("broken"), "TypeError", undefined]);
  assert.deepEqual(facts(SpanKind.CLIENT, "crash"), [error("Internal error"), "-32603", "-32603"]);
  assert.equal(spanOf(SpanKind.SERVER, "odd").status.code, SpanStatusCode.ERROR);
  await client.close();
  await server.close();
});

test("what is sent: in _meta beside what is there, in a copy; nothing without a place for it", async () => {
  const { peer, far } = joinFarEnd();
  peer.use(trace(tracer));
  const params = { item: "a", _meta: { progressToken: 7 } };
  const rows: [params: unknown, sent: unknown][] = [
    [params, { item: "a", _meta: { progressToken: 7, traceparent: "" } }],
    [{}, { _meta: { traceparent: "" } }],
    [
      [1, 2],
      [1, 2],
    ],
    [undefined, undefined],
  ];
  for (const [given, expected] of rows) {
    const answer = peer.request("price", given);
    const sent = await far.request();
    const { spanId, traceId } = (await ended(answer, far, sent.id)).spanContext();
    const text = JSON.stringify(sent.params)?.replace(`00-${traceId}-${spanId}-01`, "");
    assert.equal(text, JSON.stringify(expected));
  }
  assert.deepEqual(params, { item: "a", _meta: { progressToken: 7 } });
  await peer.close();
});

async function ended(
  answer: Promise<unknown>,
  far: { send(message: unknown): void },
  id: unknown,
): Promise<ReadableSpan> {
  far.send(success(id, 1));
  await answer;
  const span = spanOf(SpanKind.CLIENT, "price");
  exporter.reset();
  return span;
}

test("another member than _meta", async () => {
  const { peer, far } = joinFarEnd();
  peer.use(trace(tracer, { member: "trace" }));
  void peer.request("price", {}).catch(() => {});
  const { params } = await far.request();
  assert.match((params as { trace: { traceparent: string } }).trace.traceparent, /^00-[\da-f]{32}-[\da-f]{16}-01$/);
  await peer.close();

  const service = implement<Shop>({ price: () => 1 }).use(trace(tracer, { member: "trace" }));
  const server = joinFarEnd({ service });
  await server.far.ask(request(1, "price", { item: "a", trace: { traceparent: PARENT } }));
  assert.equal(spanOf(SpanKind.SERVER, "price").parentSpanContext?.spanId, SPAN);
  await server.peer.close();
});

test("a repeated call is one span, and what is in _meta is its own", async () => {
  const { peer, far } = joinFarEnd();
  peer.use(trace(tracer), retry({ delay: 1, methods: ["price"] }));
  const call = peer.request("price", {}, { timeout: 10 });
  const first = await far.request();
  const second = await far.request();
  assert.deepEqual(second, first);
  far.send(success(second.id, 1));
  await call;
  assert.equal(exporter.getFinishedSpans().length, 1);
  await peer.close();
});

test("headers that are broken, or name no span, start a new trace", async () => {
  for (const traceparent of [
    undefined,
    null,
    1,
    {},
    "",
    "00",
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-011`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    ` ${PARENT}`,
    "00-".repeat(100_000),
    { toString: 1 },
    [PARENT],
  ]) {
    exporter.reset();
    const span = await received({ traceparent });
    assert.ok(span);
    assert.notEqual(span.spanContext().traceId, TRACE);
    assert.equal(span.parentSpanContext, undefined);
  }
  for (const _meta of [null, 1, "text", [], true]) assert.ok(await received(_meta));
});

test("a later version of traceparent is read as far as it is known", async () => {
  const span = await received({ traceparent: `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like` });
  assert.equal(span?.parentSpanContext?.spanId, SPAN);
});

test("a trace that is not sampled there is not sampled here", async () => {
  assert.equal(await received({ traceparent: `00-${TRACE}-${SPAN}-00` }), undefined);
  assert.equal((await received({ traceparent: `00-${TRACE}-${SPAN}-03` }))?.parentSpanContext?.traceFlags, 3);
});

test("tracestate is passed on, and can be read and changed", async () => {
  const { peer, far } = joinFarEnd({
    service: implement<Shop>({
      price: (_params, call) => {
        void call.request("next", {}).catch(() => {});
        return null;
      },
    }).use(trace(tracer)),
  });
  peer.use(trace(tracer));
  far.send(request(1, "price", { item: "a", _meta: { traceparent: PARENT, tracestate: "rojo=00f067 , congo=t61" } }));
  const { params } = await far.request();
  assert.equal((params as { _meta: { tracestate: string } })._meta.tracestate, "rojo=00f067,congo=t61");
  await peer.close();
  const state = spanOf(SpanKind.SERVER, "price").spanContext().traceState;
  assert.equal(state?.get("congo"), "t61");
  assert.equal(state?.get("rojo"), "00f067");
  assert.equal(state?.get("con"), undefined);
  assert.equal(state?.set("congo", "1").serialize(), "congo=1,rojo=00f067");
  assert.equal(state?.set("new", "1").unset("rojo").serialize(), "new=1,congo=t61");
});

test("a tracestate that is too long, or none, is dropped", async () => {
  for (const tracestate of ["a=".padEnd(513, "x"), 1, null]) {
    exporter.reset();
    const span = await received({ traceparent: PARENT, tracestate });
    assert.equal(span?.parentSpanContext?.spanId, SPAN);
    assert.equal(span?.spanContext().traceState, undefined);
  }
});

test("inside the handler OpenTelemetry's own functions work", async () => {
  const key = createContextKey("shop");
  let spanId: string | undefined;
  const span = await received({ traceparent: PARENT }, () => {
    spanId = otel.getActiveSpan()?.spanContext().spanId;
    assert.equal(context.active().getValue(key), undefined);
    const changed = context.active().setValue(key, 1);
    assert.equal(changed.getValue(key), 1);
    assert.equal(changed.deleteValue(key).getValue(key), undefined);
    assert.equal(otel.getSpan(otel.deleteSpan(changed)), undefined);
    return context.with(changed, () => tracer.startActiveSpan("inner", (inner) => inner.end()));
  });
  assert.equal(spanId, span?.spanContext().spanId);
  assert.equal(spanOf(SpanKind.INTERNAL, "inner").parentSpanContext?.spanId, spanId);
});

test("without a caller's span the active one is the parent, such as that of an HTTP request", async () => {
  const service = implement<Shop>({ price: () => 1 }).use(trace(tracer));
  await tracer.startActiveSpan("POST", async (post) => {
    await service.handle(JSON.stringify(request(1, "price", { item: "a" })));
    post.end();
    assert.equal(spanOf(SpanKind.SERVER, "price").parentSpanContext?.spanId, post.spanContext().spanId);
  });
});

test("where no tracing is set up nothing is sent or noted", async () => {
  const idle = otel.getTracer("idle");
  const { peer, far } = joinFarEnd({
    service: implement<Shop>({ price: (_params, call) => Object.keys(call.state) }).use(trace(idle)),
  });
  peer.use(trace(idle));
  void context.with(ROOT_CONTEXT, () => peer.request("price", { item: "a" })).catch(() => {});
  assert.deepEqual((await far.request()).params, { item: "a" });
  assert.deepEqual(await far.ask(request(1, "price", { item: "a" })), success(1, []));
  await peer.close();
});

const broken = (): never => {
  throw new Error("disk full");
};

test("a tracer whose spans throw does not disturb the call, nor the process", async () => {
  const span = { spanContext: () => ({ traceId: TRACE, spanId: SPAN, traceFlags: 1 }) };
  const failing: Tracer = {
    startActiveSpan: (_name, _options, _scope, run) =>
      run({ ...span, setAttribute: broken, setStatus: broken, end: broken }),
  };
  const service = implement({ now: () => 1, later: async () => 2, fail: async () => broken() }).use(trace(failing));
  const { peer, far } = joinFarEnd({ service });
  assert.deepEqual(await far.ask(request(1, "now")), success(1, 1));
  assert.deepEqual(await far.ask(request(2, "later")), success(2, 2));
  assert.equal(codeOf(await far.ask(request(3, "fail"))), -32603);
  await settled();
  await peer.close();
});

test("the log has the trace's id", async () => {
  const records: { traceId?: unknown }[] = [];
  const keep = (record: object) => records.push(record);
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  const service = implement<Shop>({ price: () => 1 }).use(log(logger), trace(tracer));
  await service.handle(JSON.stringify(request(1, "price", { item: "a", _meta: { traceparent: PARENT } })));
  assert.equal(records[0]?.traceId, TRACE);
});

test("a handler that answers at once is not made to wait", async () => {
  const { client, server, outcomes } = join(implement({ ping: () => "pong" }).use(trace(tracer)));
  await client.request("ping");
  assert.deepEqual(outcomes, ["pong"]);
  await client.close();
  await server.close();
});
