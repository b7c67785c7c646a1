import * as transport from "@x/transport-http";

console.log(Object.keys(transport));
