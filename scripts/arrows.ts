// The arrows between the packages and inside them; see arrows/rules.ts.
import { arrowProblems } from "./arrows/check.ts";

const problems = arrowProblems(".");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log("Imports follow the arrows, without a cycle.");
