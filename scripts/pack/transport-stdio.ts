import * as transport from "@x/transport-stdio";

console.log(Object.keys(transport));
