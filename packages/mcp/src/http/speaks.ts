import type { ClientHttp } from "./client.ts";

/** A transport that wants to know what HTTP has to know of MCP. */
interface HttpTransport {
  speak(http: ClientHttp): void;
}

export const speaksHttp = (transport: object): transport is HttpTransport =>
  "speak" in transport && typeof transport.speak === "function";

/** A server that knows only the handshake refuses anything else with a status like these (basic/transports). */
export function isHandshakeRefusal(error: unknown): boolean {
  const { name, status } = (error ?? {}) as { readonly name?: unknown; readonly status?: unknown };
  return name === "HttpError" && typeof status === "number" && status >= 400 && status < 500 && !AUTH.has(status);
}

const AUTH = /* @__PURE__ */ new Set([401, 403]);
