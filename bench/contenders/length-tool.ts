import { z } from "zod";

/** A tool that is sent a text of any length. It says how long it was, and the most memory that its process has had. */
export const lengthTool = {
  name: "length",
  input: z.object({ text: z.string() }),
  answer: ({ text }: { text: string }): string => `${text.length} ${process.resourceUsage().maxRSS * 1024}`,
};

/** More than the largest message has. */
export const LARGEST = 256 * 1024 * 1024;
