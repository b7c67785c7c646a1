// The bare server in a process that has loaded the schema library.
import { roomInput } from "../contenders/room-input.ts";
import "./bare.ts";

if (!roomInput.safeParse({ roomId: "A301", date: "2026-11-30" }).success) throw new Error("The schema refuses a room");
