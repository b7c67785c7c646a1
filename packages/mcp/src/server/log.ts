import { INVALID_PARAMS, RpcError } from "@x/jsonrpc";
import { LOG_LEVELS, type LogLevel, type LogMessage } from "../model/logging.ts";

/** `log.info(data)`: one function a level. `data` is any JSON, or an Error, of which only the message is sent. */
export type Log = { readonly [level in LogLevel]: (data: unknown, logger?: string) => void };

export const logOf = (send: (message: LogMessage) => void): Log =>
  Object.fromEntries(
    LOG_LEVELS.map((level) => [
      level,
      (data: unknown, logger?: string) => send({ level, logger, data: data instanceof Error ? String(data) : data }),
    ]),
  ) as Log;

export const unknownLevel = (level: unknown): RpcError =>
  new RpcError(INVALID_PARAMS, `Unknown log level ${JSON.stringify(level)}: it is one of ${LOG_LEVELS.join(", ")}`);
