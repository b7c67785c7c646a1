import { testClient } from "./client.ts";

await testClient("any");
