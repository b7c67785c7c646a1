import { type Peer, createPeer, implement, memoryPair } from "@x/jsonrpc";
import jayson from "jayson";
import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Message,
  type MessageConnection,
  createMessageConnection,
} from "vscode-jsonrpc/node";
import { type BarePeer, barePeer } from "./bare-peer.ts";
import { type TextEnd, textPair } from "./text-pair.ts";

type Echo = { echo(params: unknown): unknown };

/** The calling one of two peers joined in memory; the other answers `echo` with what it got. */
export function ours(): Peer<Echo> {
  const [here, there] = memoryPair();
  implement<Echo>({ echo: (params) => params }).connect(there);
  return createPeer<Echo>(here);
}

export function bare(): BarePeer {
  const [here, there] = textPair();
  barePeer(there, { echo: (params) => params });
  return barePeer(here);
}

export function jsonRpc2(): JSONRPCServerAndClient {
  const [here, there] = textPair();
  jsonRpc2Peer(there).addMethod("echo", (params) => params);
  return jsonRpc2Peer(here);
}

function jsonRpc2Peer(end: TextEnd): JSONRPCServerAndClient {
  const peer = new JSONRPCServerAndClient(
    new JSONRPCServer(),
    new JSONRPCClient((request) => end.send(JSON.stringify(request))),
  );
  end.onText = (text) => void peer.receiveAndSend(JSON.parse(text), undefined, undefined);
  return peer;
}

export function vscode(): MessageConnection {
  const [here, there] = textPair();
  const answering = vscodePeer(there);
  answering.onRequest("echo", (params) => params);
  answering.listen();
  const calling = vscodePeer(here);
  calling.listen();
  return calling;
}

const vscodePeer = (end: TextEnd): MessageConnection =>
  createMessageConnection(new TextReader(end), new TextWriter(end));

class TextReader extends AbstractMessageReader {
  readonly #end: TextEnd;

  constructor(end: TextEnd) {
    super();
    this.#end = end;
  }

  listen(callback: DataCallback): { dispose(): void } {
    this.#end.onText = (text) => callback(JSON.parse(text) as Message);
    return { dispose: () => {} };
  }
}

class TextWriter extends AbstractMessageWriter {
  readonly #end: TextEnd;

  constructor(end: TextEnd) {
    super();
    this.#end = end;
  }

  async write(message: Message): Promise<void> {
    this.#end.send(JSON.stringify(message));
  }

  end(): void {}
}

/** Its own client for carriers of text, joined to its server. */
export function jaysonClient(): jayson.Client {
  const server = new jayson.Server({
    echo: (params: unknown, callback: (error: null, result: unknown) => void) => callback(null, params),
  });
  // oxlint-disable-next-line typescript/unbound-method -- a class, which its types call a function
  const Client = jayson.Client.browser as unknown as new (
    call: (text: string, callback: (error: unknown, text?: string) => void) => void,
    options: object,
  ) => jayson.Client;
  return new Client((text, callback) => {
    server.call(text, (error?: unknown, response?: unknown) => callback(null, JSON.stringify(error ?? response)));
  }, {});
}

export function jaysonCall(client: jayson.Client, method: string, params: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    client.request(method, params, (failure: unknown, response: { error?: unknown; result?: unknown }) =>
      failure || response.error ? reject(failure || response.error) : resolve(response.result),
    );
  });
}

/** Its results come in the order of the calls, as long as the server answers them in order. */
export function jaysonBatch(client: jayson.Client, method: string, params: readonly object[]): Promise<unknown[]> {
  const requests = params.map((one) => client.request(method, one, undefined as never));
  return new Promise((resolve, reject) => {
    client.request(requests as never, (failure: unknown, responses: readonly { result?: unknown }[]) =>
      failure ? reject(failure) : resolve(responses.map(({ result }) => result)),
    );
  });
}
