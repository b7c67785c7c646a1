import { RpcError } from "@x/jsonrpc";
import { type McpContext, McpServer, type ToolHandler } from "@x/mcp/server";
import { z } from "zod";
import { until } from "../joined.ts";

/** A server whose tools are work that takes its time: it goes on when the test says so. */
export interface Workshop {
  readonly server: McpServer;
  /** Lets the tool with this name come to its end, as soon as it waits for that. */
  readonly finish: (name: string) => Promise<void>;
  /** Why calls were aborted. */
  readonly aborted: string[];
  /** Tools that have run to their end. */
  readonly done: string[];
}

type Options = ConstructorParameters<typeof McpServer>[1];
type Work = ToolHandler<undefined, undefined>;

export function workshop({ tasks, ...options }: NonNullable<Options> = {}): Workshop {
  const server = new McpServer(
    { name: "workshop", version: "1.0.0" },
    { tasks: { pollInterval: 10, ...tasks }, ...options },
  );
  const waiting = new Map<string, () => void>();
  const aborted: string[] = [];
  const done: string[] = [];
  /** Goes on as a task if it can, and waits until the test ends it or the client gives up. */
  const wait = async (name: string, { detach, signal }: McpContext): Promise<void> => {
    await detach();
    await new Promise<void>((resolve, reject) => {
      waiting.set(name, resolve);
      signal.addEventListener("abort", () => {
        aborted.push(name);
        reject(signal.reason as Error);
      });
    });
    done.push(name);
  };
  const long = (name: string, work: Work): unknown => server.tool(name, { task: "optional" }, work);

  server.tool("plain", {}, () => "plain");
  server.tool("must", { task: "required" }, async (_args, { detach }) => {
    await detach();
    return "done";
  });
  long("quick", () => "quick");
  long("slow", async (_args, context) => {
    await wait("slow", context);
    return "slow is done";
  });
  long("stubborn", async (_args, { detach }) => {
    await detach();
    await new Promise<void>((resolve) => waiting.set("stubborn", resolve));
    done.push("stubborn");
    return "done after all";
  });
  long("fails", async (_args, { detach }) => {
    await detach();
    return { isError: true, content: [{ type: "text", text: "out of paper" }] };
  });
  long("breaks", async (_args, { detach }) => {
    await detach();
    throw new RpcError(1001, "the printer is on fire", { floor: 3 });
  });
  long("reports", async (_args, context) => {
    context.progress(1, 3, "before");
    await wait("reports", context);
    context.progress(2, 3, "within");
    context.log.warning("nearly there");
    return "reported";
  });
  long("asks", async (_args, { detach, elicit }) => {
    await detach();
    const schema = z.object({ colour: z.string() });
    const [first, second] = await Promise.all([
      elicit("paper", { message: "Which paper?", schema }),
      elicit("ink", { message: "Which ink?", schema }),
    ]);
    return `${first.content?.colour} on ${second.content?.colour}`;
  });
  return {
    server,
    aborted,
    done,
    finish: async (name) => {
      await until(() => waiting.has(name));
      waiting.get(name)?.();
      waiting.delete(name);
    },
  };
}

/** ISO 8601, to the millisecond. */
export const TIME: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A random UUID: 122 bits. */
export const RANDOM: RegExp = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
