export { decodeHeader, encodeHeader } from "./encoding.ts";
export { METHOD_HEADER, NAME_HEADER, PARAM_PREFIX, SESSION_HEADER, VERSION_HEADER } from "./headers.ts";
export { type MirroredParameter, mirrorFault, mirrorHeaders, mirroredParameters } from "./mirror.ts";
export { ServerHttp } from "./server.ts";
export { ClientHttp } from "./client.ts";
