import { serveStdio } from "@x/transport-stdio";
import { server } from "../contenders/ours.ts";

await serveStdio(server());
