/** Does all work, so much of it at a time. */
export async function pooled(work: readonly (() => Promise<void>)[], atATime: number): Promise<void> {
  const left = work.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const each of left) await each();
    }),
  );
}
