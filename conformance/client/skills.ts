import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Client } from "@x/mcp/client";
import { type Scenarios, connected } from "./scenario.ts";

/** A skill as `skills/list` shows it. */
interface Skill {
  readonly uri: string;
  readonly frontmatter: { readonly [key: string]: unknown };
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

/** The skills extension: nothing is read before it is needed, and nothing is used that isn't what was announced. */
export const scenarios: Scenarios = {
  "sep-2640-client-no-prefetch": connected(async (client) => {
    await listSkills(client);
  }),
  "sep-2640-client-verify-digest": connected(loadSkills),
  "sep-2640-client-verify-size": connected(loadSkills),
  "sep-2640-client-verify-frontmatter": connected(loadSkills),
};

async function listSkills(client: Client): Promise<readonly Skill[]> {
  const { skills } = (await client.request("skills/list")) as { readonly skills: readonly Skill[] };
  return skills;
}

/** Reads each skill, its SKILL.md first. Rejects at what is not as it should be, and reads no further. */
async function loadSkills(client: Client): Promise<void> {
  for (const { uri, frontmatter, resources } of await listSkills(client)) {
    check(uri, "front matter", frontmatterOf(await read(client, uri, resources)), frontmatter);
    for (const { uri: other } of resources) if (other !== uri) await read(client, other, resources);
  }
}

async function read(client: Client, uri: string, resources: Skill["resources"]): Promise<string> {
  const [content] = (await client.readResource(uri)).contents;
  if (!content || !("text" in content)) throw new Error(`Expected ${uri} to be text`);
  const bytes = Buffer.from(content.text);
  const announced = resources.find((each) => each.uri === uri);
  check(uri, "size", bytes.length, announced?.size);
  check(uri, "digest", `sha256:${createHash("sha256").update(bytes).digest("hex")}`, announced?.digest);
  return content.text;
}

/** Of plain `key: value` lines, which are all that the suite has. */
function frontmatterOf(text: string): object {
  const [, yaml = ""] = /^---\n(.*?)\n---\n/s.exec(text) ?? [];
  return Object.fromEntries(yaml.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
}

function check(uri: string, what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${uri}: the ${what} is ${JSON.stringify(actual)}, announced was ${JSON.stringify(expected)}`);
}
