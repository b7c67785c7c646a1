// All that is tested of clients holds where nodeFetch takes the place of the global fetch.
import { nodeFetch } from "../src/node/index.ts";

globalThis.fetch = nodeFetch as typeof fetch;
await import("./plain-client.test.ts");
await import("./mcp-client.test.ts");
