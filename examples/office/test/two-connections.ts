// Serves one office over stdin and stdout and, at the same time, over the socket that is file descriptor 3.
import { Socket } from "node:net";
import { serveStdio, streamTransport } from "@x/transport-stdio";
import { createOffice } from "../office.ts";

const office = createOffice(process.argv[2]!);
const socket = new Socket({ fd: 3 });
office.connect(streamTransport(socket, socket));
await serveStdio(office);
