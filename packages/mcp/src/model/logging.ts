/** Rising severity, as in RFC 5424. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a server has to say while it works. */
export interface LogMessage {
  readonly level: LogLevel;
  /** Which part of the server speaks. */
  readonly logger?: string | undefined;
  /** Any JSON. */
  readonly data: unknown;
}

export const isLogLevel = (level: unknown): level is LogLevel => (LOG_LEVELS as readonly unknown[]).includes(level);

/** Whether a message of this level is at or above the floor. */
export const isAtLeast = (level: LogLevel, floor: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(floor);
