/** The server answered with a status that says no, and not with a JSON-RPC answer to this request. */
export class HttpError extends Error {
  override name = "HttpError";
  readonly status: number;
  /** The start of the body. */
  readonly body: string;
  readonly headers: Headers;

  constructor(what: string, response: Response, body: string) {
    super(`${what}: ${response.status} ${response.statusText}`.trimEnd() + (body ? ` - ${body.slice(0, 200)}` : ""));
    this.status = response.status;
    this.body = body;
    this.headers = response.headers;
  }
}

/** The server has ended the session while a call was on its way; whether the call has run can't be told. */
export class SessionError extends Error {
  override name = "SessionError";

  constructor(what: string) {
    super(`${what}: the server has ended the session; whether the call has run is unknown`);
  }
}

/** An answer's stream has ended, or broken, before the answer; `cause` is why, if that is known. */
export class StreamError extends Error {
  override name = "StreamError";

  constructor(what: string, cause?: unknown) {
    super(`${what}: the answer ended before it was whole`, { cause });
  }
}
