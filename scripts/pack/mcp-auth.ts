import { AuthError, type Provider, redirect, withAuth } from "@x/mcp-auth";
import { fileStore, loopback } from "@x/mcp-auth/node";
import { authOf, verifyJwt } from "@x/mcp-auth/server";

// A user without Node's types has to say what of Node is used.
declare const process: { exitCode: number };

const provider: Provider = { flow: redirect("https://app.example.com/callback"), client: { name: "Desk" } };
const refusing: typeof fetch = async () => new Response(null, { status: 401 });
const failure: unknown = await withAuth(refusing, provider)("https://mcp.example.com/mcp").catch((error) => error);

const terminal: Provider = { flow: loopback({ timeout: 1000 }), store: fileStore("~/.config/desk") };
const { verify } = verifyJwt({ issuer: "https://as.example.com", audience: "https://mcp.example.com/mcp" });
const verdict = await verify({ method: "POST", target: "/mcp", header: () => undefined });

const works =
  AuthError.is(failure) && failure.step === "registration" && terminal.flow.attended && authOf({}) === undefined;
if (!works || !("status" in verdict) || verdict.status !== 401) process.exitCode = 1;
