// What browsers do differently, with a fetch that behaves like theirs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withAuth } from "../src/index.ts";
import { Issuer } from "./issuer.ts";
import { person } from "./person.ts";
import { resource } from "./resource.ts";

async function browserFetch(this: unknown, input: string | URL | Request, init?: RequestInit): Promise<Response> {
  if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
  const response = await fetch(input, init);
  if (init?.redirect !== "manual" || response.status < 300 || response.status > 399) return response;
  return Object.create(Response.error(), { type: { value: "opaqueredirect" } }) as Response;
}

test("fetch is called without `this`, and redirects that can't be seen are followed", async (t) => {
  const issuer = await Issuer.start(t);
  const server = await resource(t, {
    issuer,
    metadataAt: "/elsewhere",
    challenge: () => undefined,
    first: ({ path }) =>
      path === "/.well-known/oauth-protected-resource/mcp"
        ? { status: 302, headers: { Location: "/elsewhere" } }
        : undefined,
  });
  assert.equal((await withAuth(browserFetch, person())(server.url)).status, 200);
  assert.deepEqual(server.paths().filter((path) => path === "/elsewhere").length, 1);
});
