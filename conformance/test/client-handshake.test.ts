import { testClient } from "./client.ts";

await testClient("2025-03-26", "2025-06-18", "2025-11-25");
