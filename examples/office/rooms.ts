/** Part of a day. Times are "HH:MM", so that they compare as they are. */
export interface Slot {
  readonly startTime: string;
  readonly endTime: string;
}

export const ROOMS = ["A301", "A302", "B105"] as const;

export type RoomId = (typeof ROOMS)[number];

/** When rooms can be booked. */
export const OPENING: Slot = { startTime: "08:00", endTime: "18:00" };

export const overlap = (a: Slot, b: Slot): boolean => a.startTime < b.endTime && b.startTime < a.endTime;

/** What is left of a day, in order. */
export function freeBeside(taken: readonly Slot[], { startTime, endTime }: Slot = OPENING): Slot[] {
  const free: Slot[] = [];
  let from = startTime;
  for (const slot of [...taken].sort((a, b) => a.startTime.localeCompare(b.startTime))) {
    if (from < slot.startTime) free.push({ startTime: from, endTime: slot.startTime });
    if (from < slot.endTime) from = slot.endTime;
  }
  if (from < endTime) free.push({ startTime: from, endTime });
  return free;
}
