import { z } from "zod";

/** The tool that every MCP server here has, its schema in zod. */
export const room = {
  name: "queryRoomAvailability",
  description: "Free slots of a meeting room on one day",
  input: z.object({ roomId: z.string(), date: z.string() }),
  answer: ({ roomId, date }: { roomId: string; date: string }): string => `Room ${roomId} is free on ${date}`,
};

export const roomArguments = { roomId: "A301", date: "2026-11-30" };

const answered = room.answer(roomArguments);

/** Throws unless it is the tool's answer. */
export function checkRoom(result: unknown): void {
  const { content } = (result ?? {}) as { content?: readonly { text?: string }[] };
  if (content?.[0]?.text !== answered) throw new Error(`Expected "${answered}", got ${JSON.stringify(result)}`);
}

/** Arguments that the schema refuses, for the check that a contender looks at them. */
export const wrongArguments = { roomId: 301 };

export function checkRefused(result: unknown): void {
  if ((result as { isError?: boolean } | undefined)?.isError !== true)
    throw new Error(`Expected arguments to be refused, got ${JSON.stringify(result)}`);
}
