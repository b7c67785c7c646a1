import { testClient } from "./client.ts";

await testClient("2026-07-28");
