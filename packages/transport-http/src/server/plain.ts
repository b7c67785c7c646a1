import { INVALID_REQUEST, PARSE_ERROR } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import { RequestInfo } from "./info.ts";
import type { PlainServer } from "./protocol.ts";
import { JSON_TYPE } from "./refusal.ts";
import type { Resource } from "./resource.ts";
import type { Auth } from "./verify.ts";

/** JSON-RPC over HTTP: a message or a batch in the body of a POST, the answer in the body of the response. */
export class Plain implements Resource {
  readonly methods = "POST";
  readonly exposed: readonly string[] = [];
  readonly unread = null;
  readonly #server: PlainServer;
  readonly #open = new Set<AbortController>();
  #onIdle: (() => void) | undefined;

  constructor(server: PlainServer) {
    this.#server = server;
  }

  post(carrier: Carrier, text: string, auth: Auth | undefined): void {
    const abort = new AbortController();
    this.#open.add(abort);
    carrier.onGone(() => abort.abort(new Error("The client has gone")));
    void this.#server.handle(text, new RequestInfo(carrier, auth), abort.signal).then((answer) => {
      this.#open.delete(abort);
      if (answer === undefined) carrier.answer(204, {});
      else carrier.answer(statusOf(answer), { "Content-Type": JSON_TYPE }, answer);
      if (this.#open.size === 0) this.#onIdle?.();
    });
  }

  async close(deadline: number): Promise<void> {
    if (this.#open.size === 0) return;
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    const late = setTimeout(() => {
      for (const abort of this.#open) abort.abort(new Error("The server is closing"));
    }, deadline);
    await idle;
    clearTimeout(late);
  }
}

/** 400 for what was no message, 200 for every answer to one, errors included. A long answer is a result. */
function statusOf(answer: string): number {
  if (answer.length > 4096 || !answer.includes('"error":{"code":-32')) return 200;
  const code: unknown = (JSON.parse(answer) as { error?: { code?: unknown } }).error?.code;
  return code === PARSE_ERROR || code === INVALID_REQUEST ? 400 : 200;
}
