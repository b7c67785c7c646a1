import { type Context, INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from "@x/jsonrpc";
import { isPromise } from "../after.ts";
import { Late } from "../late.ts";
import { RESOURCE_NOT_FOUND, URL_ELICITATION_REQUIRED } from "../errors.ts";
import type { Revision } from "../revisions/index.ts";
import { ServerCall } from "./call.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { Connection, Lifecycle, Method, ServerCore } from "./contract.ts";
import type { Handshake } from "./handshake.ts";
import { stateless } from "./stateless.ts";

/** Loaded with the first request that belongs to it: it takes all that say nothing of themselves. */
const handshake: Late<Handshake> = /* @__PURE__ */ new Late(async () => (await import("./handshake.ts")).handshake);

/** Serves a request that came on `connection`. */
export function serve(context: Context, connection: Connection): unknown {
  const client = stateless.accept(context, connection);
  if (client) return serveIn(stateless, context, connection, client);
  const { now } = handshake;
  if (now) return serveIn(now, context, connection, now.accept(context, connection));
  return serveLater(context, connection);
}

// Apart: a function with a closure in it pays for it in each call.
function serveLater(context: Context, connection: Connection): Promise<unknown> {
  const go = (): void => void (connection.hold = undefined);
  const begun = handshake.open().then(() => {
    go();
    return [serve(context, connection)];
  });
  // Before those that wait, so that an answer which is there at once leaves first. They don't wait for a slow one.
  const answer = begun.then(([outcome]) => outcome);
  connection.hold = begun.then(go, go);
  return answer;
}

function serveIn(lifecycle: Lifecycle, context: Context, connection: Connection, client: ClientFacts): unknown {
  const method = methodFor(connection.server, context.method, client.revision);
  if (!method) throw notFound(context, client);
  const call = new ServerCall(connection, client, lifecycle, context);
  const prepared = lifecycle.prepare?.(call);
  return prepared ? prepared.then(() => run(method, call)) : run(method, call);
}

/** What answers a method in a revision; undefined where nothing does. */
export function methodFor(server: ServerCore, name: string, revision: Revision): Method | undefined {
  if (!revision.requests.has(name)) return server.custom.get(name);
  const lifecycle = revision.lifecycle === "stateless" ? stateless : handshake.now;
  return lifecycle?.methods.get(name) ?? server.methods.get(name);
}

function run(method: Method, call: ServerCall): unknown {
  let outcome: unknown;
  try {
    outcome = call.session.server.run(method, call);
  } catch (error) {
    return failed(call, error);
  }
  if (!isPromise(outcome)) return finished(call, outcome);
  return outcome.then(
    (result) => finished(call, result),
    (error: unknown) => failed(call, error),
  );
}

/** Once something was asked, the questions are the answer, whatever the handler made of it. */
function finished(call: ServerCall, result: unknown): object | Promise<object> {
  call.end();
  const questions = call.asking?.pending?.();
  if (questions) return questions.then((asked) => call.lifecycle.finish(asked, call));
  // Middleware may have made something else of it.
  if (call.finished && result === call.finished) return call.finished;
  if (typeof (result ?? undefined) === "object") return call.lifecycle.finish(result as object, call);
  if (result !== undefined && result !== null) throw new TypeError(`"${call.method}" must be answered with an object`);
  return call.lifecycle.finish({}, call);
}

function failed(call: ServerCall, error: unknown): unknown {
  if (call.asking?.isStop?.(error)) return finished(call, undefined);
  call.end();
  throw inWordsOf(call.client.revision, error);
}

/** An error that only some revisions have, as this one says it (basic/index, "Error codes"). */
function inWordsOf({ missingResource, urlRequired }: Revision, error: unknown): unknown {
  if (!RpcError.is(error)) return error;
  const { code, message, data } = error;
  if (code === RESOURCE_NOT_FOUND && missingResource !== code) return new RpcError(missingResource, message, data);
  return code === URL_ELICITATION_REQUIRED && !urlRequired ? new RpcError(INTERNAL_ERROR, message) : error;
}

const notFound = ({ method }: Context, { revision }: ClientFacts): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: "${method}" in ${revision.version}, or not offered by this server`);
