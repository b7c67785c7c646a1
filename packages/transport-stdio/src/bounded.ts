/** As many ms as a timer takes, 24 days. With more, `Infinity` too, it would fire at once. */
export const bounded = (ms: number): number => Math.min(ms, 2 ** 31 - 1);
