// Takes a lock of a file store and never lets it go: FOLDER KEY. Says "held" when it has it.
import { fileStore } from "../../src/node/index.ts";

const [, , folder = "", key = ""] = process.argv;
setInterval(() => {}, 1000);
await fileStore(folder).lock(key, async () => {
  console.log("held");
  await new Promise(() => {});
});
