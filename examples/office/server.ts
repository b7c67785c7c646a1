// Serves the office over stdin and stdout: node server.ts [folder for the bookings]
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveStdio } from "@x/transport-stdio";
import { createOffice } from "./office.ts";

const [folder = mkdtempSync(join(tmpdir(), "office-"))] = process.argv.slice(2);
console.error(`bookings are in ${folder}`);
await serveStdio(createOffice(folder));
