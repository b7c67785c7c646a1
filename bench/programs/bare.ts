import { serveBare } from "../contenders/bare-server.ts";

serveBare();
