import { barePeer } from "../contenders/bare-peer.ts";
import { headerEnd } from "../contenders/header-end.ts";

barePeer(headerEnd(process.stdin, process.stdout), { echo: (params) => params });
