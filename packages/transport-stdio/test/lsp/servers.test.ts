// Real language servers at the other end: docs/jsonrpc/lsp.md shows the same conversation.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AbortError } from "@x/jsonrpc";
import { ServerExited } from "@x/transport-stdio";
import { type LanguageServer, type Session, tsserver, withServer } from "./client.ts";

interface Row extends LanguageServer {
  /** One of the document's diagnostics; undefined where the server makes none. */
  readonly complains?: RegExp;
  /** What is asked about the document, and what has to be in the answer. */
  readonly question: {
    /** Default: hover. */
    readonly method?: string;
    readonly line: number;
    readonly character: number;
    readonly says: RegExp;
  };
  /** A request that the server makes of its own. */
  readonly asks?: string;
}

const rows: readonly Row[] = [
  {
    name: "typescript-language-server",
    bin: import.meta.resolve("typescript-language-server/lib/cli.mjs"),
    initializationOptions: { tsserver: { path: tsserver }, disableAutomaticTypingAcquisition: true },
    file: "shop.ts",
    languageId: "typescript",
    text: 'export const price: number = "free";\nexport const twice = price * 2;\n',
    complains: /Type 'string' is not assignable to type 'number'/,
    question: { line: 1, character: 24, says: /price: number/ },
    asks: "workspace/configuration",
  },
  {
    name: "vscode-json-language-server",
    bin: import.meta.resolve("vscode-langservers-extracted/bin/vscode-json-language-server"),
    file: "package.json",
    languageId: "json",
    text: '{ "name": "shop", "name": "pub" }\n',
    complains: /Duplicate object key/,
    question: { method: "textDocument/documentSymbol", line: 0, character: 0, says: /"name":"name"/ },
  },
  {
    name: "vscode-html-language-server",
    bin: import.meta.resolve("vscode-langservers-extracted/bin/vscode-html-language-server"),
    file: "index.html",
    languageId: "html",
    text: "<h1>Shop</h1>\n",
    question: { line: 0, character: 2, says: /heading/ },
  },
  {
    name: "vscode-css-language-server",
    bin: import.meta.resolve("vscode-langservers-extracted/bin/vscode-css-language-server"),
    file: "shop.css",
    languageId: "css",
    text: "h1 { color: }\n",
    complains: /property value expected/,
    question: { line: 0, character: 7, says: /color/ },
    asks: "workspace/configuration",
  },
  {
    name: "bash-language-server",
    bin: import.meta.resolve("bash-language-server/out/cli.js"),
    args: ["start"],
    file: "shop.sh",
    languageId: "shellscript",
    text: "# The price of a thing.\nprice() { echo free; }\nprice\n",
    question: { line: 2, character: 2, says: /The price of a thing/ },
    asks: "workspace/configuration",
  },
  {
    name: "pyright",
    bin: import.meta.resolve("pyright/langserver.index.js"),
    file: "shop.py",
    languageId: "python",
    text: 'price: int = "free"\ntwice = price * 2\n',
    complains: /is not assignable to declared type "int"/,
    question: { line: 1, character: 9, says: /price: int/ },
    asks: "workspace/configuration",
  },
];

describe("language servers over Content-Length", { concurrency: 2 }, () => {
  for (const row of rows)
    test(`${row.name}: opens a document, answers, asks, cancels, exits with 0`, async () => {
      const reason = await withServer(row, (session) => conversation(row, session));
      assert.ok(reason instanceof ServerExited, String(reason));
      assert.equal(reason.code, 0, String(reason));
    });
});

async function conversation({ complains, asks, question }: Row, session: Session): Promise<void> {
  const { uri, diagnostics, heard } = session;
  const { method = "textDocument/hover", line, character, says } = question;
  const params = { textDocument: { uri }, position: { line, character } };
  if (complains) assert.match((await diagnostics).map(({ message }) => message).join("\n"), complains);
  assert.match(await answer(session, method, params, says), says);
  if (asks !== undefined) assert.ok(heard.includes(asks), `it asked ${heard.join(", ")}`);
  await cancelled(session, method, params);
}

/** A server that still reads the document answers with nothing at first. */
async function answer({ peer }: Session, method: string, params: object, says: RegExp): Promise<string> {
  const late = performance.now() + 20_000;
  for (;;) {
    const text = JSON.stringify(await peer.request(method, params));
    if (says.test(text) || performance.now() > late) return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The call ends here at once; the server answers it all the same, with RequestCancelled or because it was too late. */
async function cancelled({ peer, messages }: Session, method: string, params: object): Promise<void> {
  const before = messages.length;
  const controller = new AbortController();
  const call = peer.request(method, params, { signal: controller.signal });
  controller.abort(new Error("changed my mind"));
  await assert.rejects(call, AbortError);
  await peer.request(method, params);
  const [first, second, ...others] = messages
    .slice(before)
    .filter((message) => "id" in message && !("method" in message));
  assert.ok(first && second && others.length === 0);
  assert.ok("result" in first || (first as { error: { code: number } }).error.code === -32800, JSON.stringify(first));
  assert.ok("result" in second, JSON.stringify(second));
}
