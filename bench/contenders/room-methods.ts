import { room } from "./room.ts";

/** What the bare server answers, as methods of a service. */
export const roomMethods = {
  initialize: ({ protocolVersion }: { protocolVersion: string }) => ({ protocolVersion }),
  "tools/call": (params: { arguments: typeof room.arguments }) => ({
    content: [{ type: "text", text: room.answer(params.arguments) }],
  }),
};
