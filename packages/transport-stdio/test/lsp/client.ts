import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Context, type Peer, implement } from "@x/jsonrpc";
import { contentLength } from "@x/jsonrpc/framing";
import { tap } from "@x/jsonrpc/testing";
import { command } from "@x/transport-stdio";
import { lsp } from "./lsp.ts";

interface Diagnostic {
  readonly message: string;
}

/** An open connection to a language server, with one document in a folder of its own. */
export interface Session {
  readonly peer: Peer;
  readonly uri: string;
  /** The first diagnostics of the document that are not empty. */
  readonly diagnostics: Promise<readonly Diagnostic[]>;
  /** Methods of the server's own requests and notifications, in order. */
  readonly heard: readonly string[];
  /** Messages as they came from the server. */
  readonly messages: readonly object[];
}

/** What differs from server to server. */
export interface LanguageServer {
  readonly name: string;
  /** The file that Node runs, as a URL. */
  readonly bin: string;
  readonly args?: readonly string[];
  readonly initializationOptions?: object;
  readonly file: string;
  readonly languageId: string;
  readonly text: string;
}

/** tsserver of the TypeScript that another server brings: the one of this repository has none any more. */
export const tsserver: string = createRequire(
  import.meta.resolve("vscode-langservers-extracted/bin/vscode-json-language-server"),
).resolve("typescript/lib/tsserver.js");

/** Starts a server, opens the document, lets `talk` speak, and shuts it down. Resolves with why the connection ended. */
export async function withServer(server: LanguageServer, talk: (session: Session) => Promise<void>): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "lsp-"));
  const session = connect(server, folder);
  const { peer } = session;
  try {
    await open(server, session, folder);
    await talk(session);
    await peer.request("shutdown");
    void peer.notify("exit");
    return await peer.closed;
  } finally {
    await peer.close();
    rmSync(folder, { recursive: true });
  }
}

function connect({ bin, args = ["--stdio"], file }: LanguageServer, folder: string): Session {
  const heard: string[] = [];
  const messages: object[] = [];
  const uri = pathToFileURL(join(folder, file)).href;
  let found!: (diagnostics: readonly Diagnostic[]) => void;
  const diagnostics = new Promise<readonly Diagnostic[]>((resolve) => (found = resolve));
  const service = implement<object>(
    {
      "workspace/configuration": (params: { items: readonly unknown[] }) => params.items.map(() => ({})),
      "workspace/workspaceFolders": () => [{ uri: pathToFileURL(folder).href, name: "test" }],
      "client/registerCapability": () => null,
      "window/workDoneProgress/create": () => null,
      "textDocument/publishDiagnostics": (params: { uri: string; diagnostics: readonly Diagnostic[] }) => {
        if (params.uri.endsWith(file) && params.diagnostics.length > 0) found(params.diagnostics);
      },
    },
    { profile: lsp, fallback: (context: Context) => void context },
  ).use((call, next) => {
    heard.push(call.method);
    return next();
  });
  const transport = command(process.execPath, [fileURLToPath(bin), ...args], { framing: contentLength, cwd: folder });
  const peer = service.connect(
    tap(transport, ({ direction, message }) => direction === "in" && messages.push(message as object)),
  );
  return { peer, uri, diagnostics, heard, messages };
}

async function open(server: LanguageServer, { peer, uri }: Session, folder: string): Promise<void> {
  const { file, languageId, text, initializationOptions } = server;
  writeFileSync(join(folder, file), text);
  const rootUri = pathToFileURL(folder).href;
  await peer.request("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "test" }],
    initializationOptions,
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: { dynamicRegistration: true } },
      textDocument: {
        hover: { contentFormat: ["plaintext"] },
        publishDiagnostics: {},
        completion: { dynamicRegistration: true },
      },
      window: { workDoneProgress: true },
    },
  });
  void peer.notify("initialized", {});
  void peer.notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
}
