/** The tool that every MCP server here has, as far as it needs no schema library. */
export const room = {
  name: "queryRoomAvailability",
  description: "Free slots of a meeting room on one day",
  arguments: { roomId: "A301", date: "2026-11-30" },
  answer: ({ roomId, date }: { roomId: string; date: string }): string => `Room ${roomId} is free on ${date}`,
};

const answered = room.answer(room.arguments);

/** Throws unless it is the tool's answer. */
export function checkRoom(result: unknown): void {
  const { content } = (result ?? {}) as { content?: readonly { text?: string }[] };
  if (content?.[0]?.text !== answered) throw new Error(`Expected "${answered}", got ${JSON.stringify(result)}`);
}

/** Throws unless it says that the arguments were refused: a contender that doesn't look at them does less work. */
export function checkRefused(result: unknown): void {
  if ((result as { isError?: boolean } | undefined)?.isError !== true)
    throw new Error(`Expected arguments to be refused, got ${JSON.stringify(result)}`);
}
