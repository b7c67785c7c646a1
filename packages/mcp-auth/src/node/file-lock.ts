import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, utimes, writeFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { memoryStore } from "../memory-store.ts";

/** ms between the signs of life of whoever has a lock. */
const HEARTBEAT = 2000;

/** ms without such a sign after which a lock is nobody's. */
const SILENCE = 15_000;

/** ms between two looks at a lock that another has. */
const PAUSE = 50;

/** Within this process a queue is enough; only its head looks at the file. */
const queues = memoryStore();

/** Runs `work` while no other process, and nobody else in this one, has the lock file. */
export function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  return queues.lock(file, async () => {
    const mine = await acquire(file);
    const heart = setInterval(() => {
      const now = new Date();
      utimes(file, now, now).catch(() => {});
    }, HEARTBEAT);
    heart.unref();
    try {
      return await work();
    } finally {
      clearInterval(heart);
      if ((await contentOf(file)) === mine) await rm(file, { force: true });
    }
  });
}

async function acquire(file: string): Promise<string> {
  const mine = `${hostname()} ${process.pid} ${randomUUID()}`;
  let last: { readonly sign: string; readonly since: number } | undefined;
  for (;;) {
    try {
      await writeFile(file, mine, { flag: "wx", mode: 0o600 });
      return mine;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "EEXIST") throw error;
    }
    const owner = await ownerOf(file);
    const sign = `${owner} ${await heartbeatOf(file)}`;
    if (sign !== last?.sign) last = { sign, since: performance.now() };
    // Its own clock tells how long it has watched: the times of a file may be another machine's.
    if (owner !== undefined && (isDead(owner) || performance.now() - last.since > SILENCE)) await take(file, owner);
    else await new Promise((resolve) => setTimeout(resolve, PAUSE * (0.5 + Math.random())));
  }
}

/** Removes the lock of an owner that is gone, unless it has become somebody else's. */
async function take(file: string, owner: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await contentOf(aside)) !== owner) await link(aside, file);
  } catch {
    // Another has been quicker.
  }
  await rm(aside, { force: true });
}

/** A process of this machine that is no more. */
function isDead(owner: string): boolean {
  const [host, pid] = owner.split(" ");
  if (host !== hostname() || !Number.isSafeInteger(Number(pid))) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "ESRCH";
  }
}

/** Undefined for a lock that has just been let go. One that can't be read would never be anybody's. */
async function ownerOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "EACCES" || code === "EISDIR") throw error;
    return undefined;
  }
}

const contentOf = (file: string): Promise<string | undefined> => readFile(file, "utf8").catch(() => undefined);

const heartbeatOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
