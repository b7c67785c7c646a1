import * as transport from "@x/transport-http";
import { nodeFetch } from "@x/transport-http/node";

console.log(Object.keys(transport), transport.http("http://localhost/", { fetch: nodeFetch }) !== undefined);
