import type { CreateMessageResult } from "@x/mcp";
import { McpServer } from "@x/mcp/server";
import { z } from "zod";
import { CITIES, cityNames } from "./cities.ts";

const Wishes = z.object({
  days: z.int().min(1).max(5).default(2).describe("How long"),
  pace: z.enum(["relaxed", "busy"]).default("relaxed").describe("How much a day"),
  mustSee: z.string().optional().describe("What must not be missed"),
});

const Approval = z.object({ book: z.boolean().describe("Shall it be booked?") });

const Trip = z.object({
  city: z.enum(cityNames),
  days: z.array(z.string()),
  booking: z.string().describe("The booking, once it is paid").optional(),
});

/**
 * Plans trips with the person at the client and the client's model. The handler is written as if it could wait for its
 * answers; without a handshake it starts again from the top with each of them, and what stands in `once` is not done twice.
 */
export function createTrips(): McpServer {
  const server = new McpServer({ name: "trips", version: "1.0.0", title: "Trips" });
  let bookings = 0;

  server.tool(
    "planTrip",
    {
      description: "Plans a trip to a city, and books it if it pleases",
      input: z.object({ city: z.enum(cityNames) }),
      output: Trip,
    },
    async ({ city }, { elicit, elicitUrl, sample, once, progress }) => {
      const wishes = await elicit("wishes", { message: `What should your trip to ${city} be like?`, schema: Wishes });
      if (!wishes.accepted) return failed("Nothing was planned");
      progress(1, 4, "asking the model");

      const { days, pace, mustSee } = wishes.content;
      const plan = await sample("plan", {
        systemPrompt: "You plan trips. Answer with one line for each day.",
        messages: [
          {
            role: "user",
            content: {
              type: "text",
              text: `${days} ${pace} days in ${city}${mustSee ? `, with ${mustSee}` : ""}. There are: ${CITIES[city].join(", ")}.`,
            },
          },
        ],
        maxTokens: 200,
      });
      const trip = { city, days: linesOf(plan.content) };
      progress(2, 4, "asking whether it pleases");

      const approval = await elicit("approval", {
        message: `${trip.days.join("\n")}\nShall it be booked?`,
        schema: Approval,
      });
      if (!approval.accepted || !approval.content.book) return trip;
      progress(3, 4, "booking");

      const booking = await once("booking", () => `T${++bookings}`);
      const url = `https://pay.example/trips/${booking}`;
      const paid = await elicitUrl("payment", { message: `Please pay for ${booking}`, url });
      return paid.accepted ? { ...trip, booking } : trip;
    },
  );
  return server;
}

const failed = (text: string) => ({ isError: true, content: [{ type: "text", text }] }) as const;

function linesOf(content: CreateMessageResult["content"]): string[] {
  const lines = [content].flat().flatMap((block) => (block.type === "text" ? block.text.split("\n") : []));
  return lines.filter((line) => line !== "");
}
