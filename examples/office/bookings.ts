import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type RoomId, type Slot, overlap } from "./rooms.ts";

export interface Booking extends Slot {
  readonly id: string;
  readonly roomId: RoomId;
  readonly date: string;
}

/**
 * Bookings in a folder: a folder for each room and day, a numbered file for each booking. A file appears whole or not
 * at all, and a number is taken once, so that of any bookings of one slot exactly one wins, between processes too.
 */
export class Bookings {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async of(roomId: RoomId, date: string): Promise<Booking[]> {
    const day = this.#dayOf(roomId, date);
    return await readAll(day, await namesIn(day));
  }

  /** Books, or tells which booking stands in the way. */
  async book(wanted: Omit<Booking, "id">): Promise<{ booking: Booking } | { conflict: Booking }> {
    const day = this.#dayOf(wanted.roomId, wanted.date);
    await mkdir(day, { recursive: true });
    for (;;) {
      const names = await namesIn(day);
      const conflict = (await readAll(day, names)).find((other) => overlap(other, wanted));
      if (conflict) return { conflict };
      const number = 1 + Math.max(0, ...names.map((name) => Number.parseInt(name)));
      const booking = { id: `${wanted.roomId}/${wanted.date}/${number}`, ...wanted };
      // Whoever gets the number has seen every booking before it; for the others there is one more to look at.
      if (await appear(join(day, `${number}.json`), JSON.stringify(booking))) return { booking };
    }
  }

  #dayOf(roomId: RoomId, date: string): string {
    return join(this.#folder, encodeURIComponent(`${roomId} ${date}`));
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

const readAll = (folder: string, names: readonly string[]): Promise<Booking[]> =>
  Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8")) as Booking));

/** Makes a file with all of its text; false if there is one with that name. */
export async function appear(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}.draft`;
  const file = await open(draft, "wx");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // Renaming would put it in place as well, but over a file that came first.
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft);
  }
}
