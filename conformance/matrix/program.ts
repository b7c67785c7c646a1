// Serves everything over stdin and stdout, in the revisions from argv[2] on: 0 for all, 1 for all but the newest.
import { revisions } from "@x/mcp";
import { serveStdio } from "@x/transport-stdio";
import { everything } from "./everything.ts";

await serveStdio(everything(revisions.slice(Number(process.argv[2]))));
