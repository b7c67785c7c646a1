import { serveStdio } from "@x/transport-stdio";
import { eager } from "./eager.ts";

await serveStdio(eager().server);
