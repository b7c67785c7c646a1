// Which rules of docs/spec/rules.md a test cites by id, area by area, and why others have none.
// `pnpm rules` prints the table; `pnpm rules --missing` lists the rules that have neither a test nor a reason.
import { readFileSync } from "node:fs";
import { filesUnder } from "./files.ts";

interface Rule {
  readonly id: string;
  readonly area: string;
  readonly who: string;
  readonly text: string;
  readonly hint: string;
}

/** Why rules have no test: `uncited.json` maps a reason to ids. */
type Reasons = { readonly [reason: string]: readonly string[] };

const rules = parse(read("docs/spec/rules.md"));
const cited = new Set(
  ["packages", "examples", "fixtures", "conformance", "docs"]
    .flatMap(filesUnder)
    .filter((file) => file.includes("test") && file.endsWith(".ts"))
    .flatMap((file) => read(file).match(/\b[A-Z]{3,5}-\d{2,3}\b/g) ?? []),
);
const reasons: Reasons = JSON.parse(read("docs/spec/uncited.json"));
const explained = new Map(Object.entries(reasons).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)));

const unknown = [...explained.keys()].filter((id) => !rules.some((rule) => rule.id === id));
if (unknown.length > 0) throw new Error(`docs/spec/uncited.json names rules that don't exist: ${unknown.join(", ")}`);

const whyNot = ({ id, who, hint }: Rule): string | undefined => {
  if (explained.has(id)) return explained.get(id);
  if (who === "host") return "a matter of the host application, its consent and user interface";
  if (who === "auth server") return "a duty of authorization servers, which this project does not contain";
  if (who === "MCP proxy" || who === "intermediary" || who === "extension")
    return `a duty of the ${who}, which this project does not contain`;
  return /^(UI )?review|review$|UI and log review|policy/.test(hint)
    ? "a judgement for people: the rules file itself says that no automatic test fits"
    : undefined;
};

const areas = [...new Set(rules.map(({ area }) => area))];
const rows = areas.map((area) => {
  const of = rules.filter((rule) => rule.area === area);
  const tested = of.filter(({ id }) => cited.has(id));
  const open = of.filter((rule) => !cited.has(rule.id) && whyNot(rule) === undefined);
  return { area, rules: of.length, tested: tested.length, reasoned: of.length - tested.length - open.length, open };
});

for (const { area, rules: all, tested, reasoned, open } of rows)
  console.log(
    `${String(tested).padStart(4)} of ${String(all).padStart(4)} cited, ${String(reasoned).padStart(3)} with a reason, ${String(open.length).padStart(3)} open   ${area}`,
  );
const sum = (key: "rules" | "tested" | "reasoned"): number => rows.reduce((total, row) => total + row[key], 0);
console.log(
  `${String(sum("tested")).padStart(4)} of ${sum("rules")} cited, ${sum("reasoned")} with a reason, ${sum("rules") - sum("tested") - sum("reasoned")} open`,
);

if (process.argv.includes("--missing")) {
  for (const { area, open } of rows)
    if (open.length > 0) console.log(`\n${area}\n${open.map(({ id, text }) => `  ${id}  ${text}`).join("\n")}`);
} else {
  const counts = new Map<string, number>();
  for (const rule of rules) {
    const reason = cited.has(rule.id) ? undefined : whyNot(rule);
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  console.log("\nWhy rules have no test:");
  for (const [reason, count] of counts) console.log(`${String(count).padStart(4)}  ${reason}`);
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}

function parse(markdown: string): Rule[] {
  const found: Rule[] = [];
  let area = "";
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## Area")) area = line.slice(3);
    const cells = line.split("|").map((cell) => cell.trim());
    const [, id = "", , who = "", , text = "", hint = ""] = cells;
    if (/^[A-Z]+-\d+$/.test(id)) found.push({ id, area, who, text, hint });
  }
  return found;
}
