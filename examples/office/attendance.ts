import { setTimeout as sleep } from "node:timers/promises";

export const EMPLOYEES = ["E1001", "E1002", "E1003"] as const;

export type Presence = "office" | "home" | "absent";

/** How long the badge readers' archive takes for a week, in ms. */
const SLOW = 80;

/** The working days of a month such as "2026-11", week by week. */
export function weeksOf(month: string): string[][] {
  const weeks: string[][] = [];
  const day = new Date(`${month}-01T00:00:00Z`);
  for (; day.toISOString().startsWith(month); day.setUTCDate(day.getUTCDate() + 1)) {
    const weekday = day.getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    if (weekday === 1 || weeks.length === 0) weeks.push([]);
    weeks.at(-1)?.push(day.toISOString().slice(0, 10));
  }
  return weeks;
}

/** Where somebody was on these days. Takes a while; `signal` ends it. */
export async function presenceOn(
  days: readonly string[],
  employeeId: string,
  signal: AbortSignal,
): Promise<Presence[]> {
  await sleep(SLOW, undefined, { signal });
  return days.map((day) => PATTERN[(Number(day.slice(-2)) * 7 + Number(employeeId.slice(1))) % PATTERN.length]!);
}

const PATTERN: readonly Presence[] = ["office", "office", "home", "office", "office", "home", "office", "absent"];
