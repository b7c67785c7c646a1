/** A request that can be sent more than once. */
export interface Replay {
  readonly url: URL;
  readonly method: string;
  /** Headers are its own, and have no credentials. */
  readonly init: RequestInit & { readonly headers: Headers };
}

/** Makes a request that can be sent again. A body that is a stream is read to its end first. */
export async function replayOf(input: string | URL | Request, init: RequestInit = {}): Promise<Replay> {
  const request = input instanceof Request ? input : undefined;
  const headers = new Headers(init.headers ?? request?.headers);
  headers.delete("authorization");
  headers.delete("dpop");
  const method = init.method ?? request?.method ?? "GET";
  const signal = init.signal ?? request?.signal ?? null;
  const body = await bodyOf(init.body ?? request?.body ?? null);
  const { duplex: _stream, ...rest } = init as RequestInit & { readonly duplex?: string };
  const redirect = init.redirect ?? request?.redirect ?? "follow";
  return {
    url: new URL(request?.url ?? String(input)),
    method,
    init: { ...rest, method, headers, body, signal, redirect },
  };
}

async function bodyOf(body: NonNullable<RequestInit["body"]> | null): Promise<NonNullable<RequestInit["body"]> | null> {
  return body instanceof ReadableStream ? await new Response(body).arrayBuffer() : body;
}
