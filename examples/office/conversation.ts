import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import type { Client } from "@x/mcp/client";
import { appear } from "./bookings.ts";
import type { Transcript } from "./transcript.ts";

const DAY = "2026-12-01";
const ATTENDANCE = { employeeId: "E1001", month: "2026-11" };

/** All that a host does with a server once they have met. `folder` is where the office keeps its files. */
export async function converse(client: Client, folder: string, transcript: Transcript): Promise<void> {
  transcript.heading("Hear of changes, read the list of tools");
  const changes = new EventEmitter();
  const watching = client.subscribe({ tools: true }, () => changes.emit("tools"));
  await watching.ready;
  await readTools(client);

  transcript.heading("Look for a free slot; two people book it at the same time");
  await client.callTool("queryRoomAvailability", { roomId: "A301", date: DAY });
  const slot = { roomId: "A301", date: DAY, startTime: "10:00", endTime: "11:30" };
  await Promise.all([client.callTool("bookMeetingRoom", slot), client.callTool("bookMeetingRoom", slot)]);

  transcript.heading("A call that takes its time and reports how far it is");
  await client.callTool("checkAttendance", ATTENDANCE, { onProgress: () => {} });

  transcript.heading("The same call, given up half-way");
  const stop = new AbortController();
  const onProgress = ({ progress }: { progress: number }): void => {
    if (progress === 2) stop.abort(new Error("the user has seen enough"));
  };
  const call = client.callTool("checkAttendance", ATTENDANCE, { signal: stop.signal, onProgress });
  await call.catch((error: unknown) => transcript.note(`host: ${String(error)}`));

  transcript.heading("A tool appears while the server runs");
  transcript.note("host: writes annex.json");
  const changed = once(changes, "tools");
  await appear(join(folder, "annex.json"), JSON.stringify(["D1", "D2", "D3"]));
  await changed;
  await readTools(client);
  await client.callTool("queryAnnexDesks");

  transcript.heading("Say goodbye");
  await watching.close();
}

async function readTools(client: Client): Promise<void> {
  for await (const _tool of client.tools());
}
