// The browser of the examples, and the person before it: opens the page that it is given and agrees to everything.
import { Browser } from "../../fixtures/browser.ts";

await new Browser("alice").visit(process.argv[2] ?? "");
