/** Where a reported error came from: a handler that threw, a message that made no sense, or the transport. */
export type ErrorOrigin = "handler" | "message" | "transport";

export type Report = (error: unknown, origin: ErrorOrigin) => void;

/** Errors of handlers must not vanish; the others are the far side's doing and could flood a log. */
const byDefault: Report = (error, origin) => {
  if (origin === "handler") console.error(error);
};

/** The user's hook, made safe: what it throws itself must not break the connection. */
export function reporter(onError: Report = byDefault): Report {
  return (error, origin) => {
    // It may be asynchronous.
    const tell = async (): Promise<void> => onError(error, origin);
    tell().catch(console.error);
  };
}
