// Books one slot after another in the folder given, until it is killed: the store has to be sound whenever that is.
import { Bookings } from "../bookings.ts";

const [folder, date] = process.argv.slice(2) as [string, string];
const bookings = new Bookings(folder);
console.log("ready");
for (let minute = 0; ; minute++) {
  const startTime = timeOf(minute);
  await bookings.book({ roomId: "B105", date, startTime, endTime: timeOf(minute + 1) });
}

function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(4, "0")}:${String(minute % 60).padStart(2, "0")}`;
}
