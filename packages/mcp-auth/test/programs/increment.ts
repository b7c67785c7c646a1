// Adds one to a number in a file store, many times, each time under the store's lock: FOLDER TIMES.
import { fileStore } from "../../src/node/index.ts";

const [, , folder = "", times] = process.argv;
const store = fileStore(folder);
for (let count = 0; count < Number(times); count++)
  await store.lock("number", async () => {
    const { value = 0 } = ((await store.get("number")) ?? {}) as { value?: number };
    await new Promise((resolve) => setTimeout(resolve, 1));
    await store.set("number", { value: value + 1 });
  });
