/**
 * A flag for every process whose rate is measured. Node gives back the memory of a process that waits for eight seconds,
 * and with it what it has compiled: a contender that has warmed up and waits for the others would begin anew.
 */
export const STEADY = "--no-memory-reducer";
