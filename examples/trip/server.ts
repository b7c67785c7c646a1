// Serves trips over stdin and stdout.
import { serveStdio } from "@x/transport-stdio";
import { createTrips } from "./trip.ts";

await serveStdio(createTrips());
