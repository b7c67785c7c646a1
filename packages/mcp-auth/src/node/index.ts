export { type LoopbackOptions, loopback } from "./loopback.ts";
export { fileStore } from "./file-store.ts";
export { openBrowser } from "./browser.ts";
export { publicAddress } from "./public-address.ts";
