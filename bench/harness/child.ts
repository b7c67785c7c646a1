// Holds one contender of one row, ready to be measured: each message from the parent asks for a sample. Without a
// parent it takes twenty and prints them; that is what a profiler is pointed at, in the folder of the benchmark:
// node --cpu-prof dist/harness/child.js ROW CONTENDER [--quick] [--once]
import { loadRow } from "./load.ts";
import { ready } from "./sample.ts";

const [name = "", wanted, ...flags] = process.argv.slice(2);
const { contenders } = await loadRow(process.cwd(), name);
const contender = contenders.find((one) => one.name === wanted);
if (!contender) throw new TypeError(`"${name}" has no contender "${wanted}"`);
const subject = await ready(contender, { quick: flags.includes("--quick"), once: flags.includes("--once") });

if (process.send) {
  // What rejects here ends the process, and the parent says which contender it was.
  process.on("message", () => void subject.sample().then((sample) => process.send?.(sample)));
  process.on("disconnect", () => void subject.close());
  process.send("ready");
} else {
  for (let i = 0; i < 20; i++) console.log(JSON.stringify(await subject.sample()));
  await subject.close();
}
