export { type Fault, type FaultOptions, faulty } from "./faulty.ts";
export { type FramedOptions, framed } from "./framed.ts";
export { type Entry, record } from "./record.ts";
export { type Replay, replay } from "./replay.ts";
export { type MakePair, type TestFunction, transportSuite } from "./suite.ts";
export { type Passing, tap } from "./tap.ts";
