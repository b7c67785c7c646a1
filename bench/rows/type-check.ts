import {
  beyond,
  check,
  checkTime,
  official1,
  official2,
  ours,
  schemas,
  typeCheck,
  write,
} from "../contenders/type-check.ts";
import type { Row } from "../harness/row.ts";

export default {
  title: "Type-checking 100 tools with zod schemas",
  note:
    "What tsc counts as checking, on one thread. Bare is the schemas and functions of their output, without a server: " +
    "what zod's own types cost, which every server adds to.",
  figures: [check, beyond],
  contenders: [
    typeCheck("ours", "ours", ours),
    typeCheck("official 1.x", "peer", official1),
    typeCheck("official 2.x", "peer", official2),
    {
      name: "bare",
      kind: "bare",
      measure: async () => ({ [check.name]: await checkTime(write("schemas", schemas)) }),
    },
  ],
  bars: [
    { against: "official 2.x", atMost: 0.3 },
    { figure: beyond.name, against: "official 2.x", atMost: 0.3 },
  ],
} satisfies Row;
