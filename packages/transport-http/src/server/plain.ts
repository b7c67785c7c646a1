import { INVALID_REQUEST, PARSE_ERROR, parse } from "@x/jsonrpc";
import type { Carrier } from "./carrier.ts";
import { RequestInfo } from "./info.ts";
import type { PlainServer } from "./protocol.ts";
import { CLOSED, JSON_TYPE, refuse } from "./refusal.ts";
import { type Linked, Ring } from "./ring.ts";
import type { Resource } from "./resource.ts";
import { type Auth, forbid } from "./verify.ts";

/** JSON-RPC over HTTP: a message or a batch in the body of a POST, the answer in the body of the response. */
export class Plain implements Resource {
  readonly methods = "POST";
  readonly exposed: readonly string[] = [];
  readonly unread = null;
  readonly #server: PlainServer;
  readonly #open = new Ring<PlainCall>();
  #onIdle: (() => void) | undefined;

  constructor(server: PlainServer) {
    this.#server = server;
  }

  post(carrier: Carrier, text: string, auth: Auth | undefined): void {
    const forbidden = auth?.permit && forbid(auth, parse(text));
    if (forbidden) return refuse(carrier, forbidden, this.unread);
    const call = new PlainCall(carrier);
    call.stop = this.#server.answer(text, new RequestInfo(carrier, auth), (answer) => {
      if (call.over) return;
      call.over = true;
      const waited = this.#open.delete(call);
      if (answer === undefined) carrier.answer(204, {});
      else carrier.answer(statusOf(answer), { "Content-Type": JSON_TYPE }, answer);
      if (waited && this.#open.empty) this.#onIdle?.();
    });
    if (call.over) return;
    this.#open.add(call);
    carrier.onGone(() => call.abort("The client has gone"));
  }

  async close(deadline: number): Promise<void> {
    if (this.#open.empty) return;
    const before = this.#onIdle;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = () => {
        before?.();
        resolve();
      };
    });
    let late = setTimeout(() => {
      for (const call of this.#open.members()) call.abort("The server is closing");
      late = setTimeout(() => this.#giveUp(), LAST_ANSWERS);
    }, deadline);
    await idle;
    clearTimeout(late);
  }

  /** Handlers that don't obey their signal are not waited for. */
  #giveUp(): void {
    for (const call of this.#open.members()) {
      call.over = true;
      this.#open.delete(call);
      refuse(call.carrier, CLOSED, this.unread);
    }
    this.#onIdle?.();
  }
}

/** ms in which handlers that have been aborted may still give an answer. */
const LAST_ANSWERS = 100;

/** A call that may not be answered in its own turn. */
class PlainCall implements Linked {
  before: Linked | undefined;
  behind: Linked | undefined;
  over = false;
  stop!: (reason: unknown) => void;
  readonly carrier: Carrier;

  constructor(carrier: Carrier) {
    this.carrier = carrier;
  }

  abort(reason: string): void {
    this.stop(new Error(reason));
  }
}

/** 400 for what was no message, 200 for every answer to one, errors included. A long answer is a result. */
function statusOf(answer: string): number {
  if (answer.length > 4096 || !answer.includes('"error":{"code":-32')) return 200;
  const code: unknown = (JSON.parse(answer) as { error?: { code?: unknown } }).error?.code;
  return code === PARSE_ERROR || code === INVALID_REQUEST ? 400 : 200;
}
