import { z } from "zod";

/** The arguments of the tool that every MCP server here has. */
export const roomInput = z.object({ roomId: z.string(), date: z.string() });
