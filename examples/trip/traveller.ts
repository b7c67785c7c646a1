import type { CreateMessageParams, CreateMessageResult } from "@x/mcp";
import type { ConnectOptions } from "@x/mcp/client";

/** The client's side: a person who knows what they want, and a model that is none but plans well enough. */
export function traveller(say: (line: string) => void): ConnectOptions {
  return {
    elicit: ({ message, requestedSchema }) => {
      const fields = Object.keys(requestedSchema["properties"] as object);
      say(`form     ${message.replaceAll("\n", " / ")} [${fields.join(", ")}]`);
      const content = fields.includes("book") ? { book: true } : { days: 3, mustSee: "Alfama" };
      say(`person   ${JSON.stringify(content)}`);
      return { action: "accept", content };
    },
    elicitUrl: ({ message, url }) => {
      say(`page     ${message}: ${url}`);
      say("person   opens it");
      return { action: "accept" };
    },
    sample: (params) => {
      const result = toyModel(params);
      say(`model    ${JSON.stringify(result.content)}`);
      return result;
    },
  };
}

/** Deals out what there is to see, what must not be missed first. */
function toyModel({ messages }: CreateMessageParams): CreateMessageResult {
  const { text } = (messages[0]?.content ?? { text: "" }) as { readonly text: string };
  const [, days = "1", pace, , wish, list = ""] =
    /^(\d) (\w+) days in (\w+)(?:, with (.+?))?\. There are: (.*)\.$/.exec(text) ?? [];
  const sights = list.split(", ").toSorted((a, b) => Number(b === wish) - Number(a === wish));
  const perDay = pace === "busy" ? 2 : 1;
  const lines = Array.from({ length: Number(days) }, (_, day) => {
    const some = sights.slice(day * perDay, (day + 1) * perDay);
    return `Day ${day + 1}: ${some.join(" and ") || "rest"}`;
  });
  return { role: "assistant", content: { type: "text", text: lines.join("\n") }, model: "toy" };
}
