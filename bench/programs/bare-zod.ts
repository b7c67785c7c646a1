// The bare server in a process that has loaded the schema library.
import { serveBare } from "../contenders/bare-server.ts";
import { roomInput } from "../contenders/room-input.ts";
import { room } from "../contenders/room.ts";

if (!roomInput.safeParse(room.arguments).success) throw new Error("The schema refuses the tool's own arguments");
serveBare();
