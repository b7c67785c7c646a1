/** ms. Timers take a signed 32-bit number; with more, `Infinity` too, they fire at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1;
