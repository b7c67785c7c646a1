/** n calls, `width` of them at any time. */
export async function inFlight(n: number, width: number, call: () => PromiseLike<unknown>): Promise<void> {
  let left = n;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: width }, lane));
}
