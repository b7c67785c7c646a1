import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { McpServer, type ToolRegistration } from "@x/mcp/server";
import { z } from "zod";
import { EMPLOYEES, type Presence, presenceOn, weeksOf } from "./attendance.ts";
import { Bookings } from "./bookings.ts";
import { OPENING, ROOMS, type Slot, freeBeside } from "./rooms.ts";

const RoomId = z.enum(ROOMS).describe("Meeting room");
const Day = z.iso.date();
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 09:30");

const Booking = z.object({ id: z.string(), roomId: RoomId, date: Day, startTime: Time, endTime: Time });

/** The office's tools over the bookings in `folder`. They can be served to any number of clients at once. */
export function createOffice(folder: string): McpServer {
  const bookings = new Bookings(folder);
  const server = new McpServer(
    { name: "office", version: "1.0.0", title: "The office" },
    { instructions: `Rooms can be booked from ${textOf(OPENING)}. Look for a free slot before you book one.` },
  );

  server.tool(
    "queryRoomAvailability",
    {
      description: "When a meeting room is free on one day",
      input: z.object({ roomId: RoomId, date: Day }),
      annotations: { readOnlyHint: true },
    },
    async ({ roomId, date }) => {
      const free = freeBeside(await bookings.of(roomId, date));
      return `${roomId} is ${free.length === 0 ? "booked all day" : `free ${free.map(textOf).join(", ")}`}`;
    },
  );

  server.tool(
    "bookMeetingRoom",
    {
      description: "Books a meeting room, or tells which booking stands in the way",
      input: z
        .object({ roomId: RoomId, date: Day, startTime: Time, endTime: Time })
        .refine(({ startTime, endTime }) => startTime < endTime, "endTime must come after startTime")
        .refine((slot) => isOpen(slot), `rooms can be booked from ${textOf(OPENING)}`),
      output: z.object({ booking: Booking.optional(), conflict: Booking.optional() }),
    },
    async (wanted) => {
      const outcome = await bookings.book(wanted);
      if ("booking" in outcome) return outcome;
      // A result and not a JSON-RPC error: a host hands results to the model, which can then pick another slot, while a
      // protocol error says that the call itself was wrong. Programs find the conflict in the structured part.
      const text = `${wanted.roomId} is taken ${textOf(outcome.conflict)}`;
      return { isError: true, content: [{ type: "text", text }], structuredContent: outcome };
    },
  );

  server.tool(
    "checkAttendance",
    {
      description: "How many days of a month somebody was in the office, at home or absent. Takes a moment",
      input: z.object({
        employeeId: z.enum(EMPLOYEES),
        month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "expected a month such as 2026-11"),
      }),
      output: z.object({ office: z.int(), home: z.int(), absent: z.int() }),
      annotations: { readOnlyHint: true },
    },
    async ({ employeeId, month }, context) => {
      const days: Record<Presence, number> = { office: 0, home: 0, absent: 0 };
      const weeks = weeksOf(month);
      for (const [index, week] of weeks.entries()) {
        for (const presence of await presenceOn(week, employeeId, context.signal)) days[presence]++;
        context.progress(index + 1, weeks.length, `week of ${week[0]}`);
      }
      return days;
    },
  );

  publishAnnex(server, folder);
  return server;
}

/**
 * Offers the annex's desks as long as there is an annex.json. It comes and goes by itself: a tool that adds tools would
 * let one client's call change what the others see, which MCP rules out (server/tools, "Listing Tools").
 */
function publishAnnex(server: McpServer, folder: string): void {
  let tool: ToolRegistration | undefined;
  const look = (): void => {
    const desks = desksIn(join(folder, "annex.json"));
    if (desks && !tool)
      tool = server.tool("queryAnnexDesks", { description: "Desks of the annex" }, () => `Desks: ${desks.join(", ")}`);
    if (desks || !tool) return;
    tool.remove();
    tool = undefined;
  };
  watch(folder, { persistent: false }, look).on("error", console.error);
  look();
}

function desksIn(path: string): string[] | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as string[];
  } catch {
    return undefined;
  }
}

const isOpen = (slot: Slot): boolean => slot.startTime >= OPENING.startTime && slot.endTime <= OPENING.endTime;

const textOf = ({ startTime, endTime }: Slot): string => `${startTime} to ${endTime}`;
