import type { Context } from "@x/jsonrpc";
import type { ElicitContent } from "../model/elicitation.ts";
import type { Meta } from "../model/meta.ts";
import type { Root } from "../model/roots.ts";
import type { CreateMessageParams, CreateMessageResult } from "../model/sampling.ts";
import type { OutputOf, Schema } from "../schema/compile.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { Log } from "./log.ts";

/**
 * What a handler gets besides its arguments: the call as JSON-RPC has it, and MCP's part. The same in every revision.
 * It may be taken apart: `(args, { progress, signal }) => …`.
 */
export interface McpContext extends Context {
  readonly abort: Context["abort"];
  readonly request: Context["request"];
  readonly notify: Context["notify"];
  /** The request's parameters as they came. */
  params: { readonly [name: string]: unknown };
  /** The request's `_meta`, untouched. */
  readonly meta: Meta | undefined;
  /** Who asks, in which revision, with what capabilities. */
  readonly client: ClientFacts;
  /** Who is authenticated, as the transport says; undefined where nobody is. */
  readonly principal: string | undefined;
  /**
   * Asks a person through the client's form. `key` tells this question from others of the same call. Without a handshake
   * the handler starts again from the top once the answer is there: work that must not repeat belongs in `once`.
   */
  readonly elicit: <S extends Schema>(
    key: string,
    form: { readonly message: string; readonly schema: S },
  ) => Promise<Elicited<OutputOf<S, ElicitContent>>>;
  /** Asks a person to open an address. Accepting means consent, not that it is done. */
  readonly elicitUrl: (key: string, page: { readonly message: string; readonly url: string }) => Promise<Visited>;
  /** Asks the client's model. */
  readonly sample: (key: string, params: CreateMessageParams) => Promise<CreateMessageResult>;
  /** The places that the client lets this server work in. */
  readonly listRoots: () => Promise<readonly Root[]>;
  /** Runs `work` once for the whole call, also when the handler starts again; its value must be JSON. */
  readonly once: <T>(key: string, work: () => T | Promise<T>) => Promise<T>;
  /**
   * From here on the work may go on as a task, if the client can follow one: its call is answered, and it asks for the
   * result later. Otherwise nothing happens. For tools with the option `task`.
   */
  readonly detach: () => Promise<void>;
  /** Tells the client what happens meanwhile, from the level on that it wants to hear (in 2026-07-28 deprecated, but served). */
  readonly log: Log;
  /** Reports how far the work has come, if the client asked to hear it. Only rising values are sent. */
  readonly progress: (progress: number, total?: number, message?: string) => void;
}

/** What became of an address that a person was to open. */
export type Visited =
  | {
      readonly accepted: true;
      readonly action: "accept";
      /** Tells the client that it is done there, in 2025-11-25; later clients find out when they call again. */
      readonly completed: () => Promise<void>;
    }
  | { readonly accepted: false; readonly action: "decline" | "cancel" };

/** What became of a question to a person. */
export type Elicited<Content> =
  | { readonly accepted: true; readonly action: "accept"; readonly content: Content }
  | { readonly accepted: false; readonly action: "decline" | "cancel"; readonly content?: undefined };
