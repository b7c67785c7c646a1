import { EventEmitter, once } from "node:events";
import type { LogMessage } from "@x/mcp";
import { type Client, type ConnectOptions, connect } from "@x/mcp/client";
import type { Transport } from "@x/jsonrpc";

/** The client's side of the scenario: what it answers, and what it has heard. */
export class Host {
  readonly asked: string[] = [];
  readonly logs: LogMessage[] = [];
  readonly #events = new EventEmitter();

  connect(to: Transport | (() => Transport), options: ConnectOptions): Promise<Client> {
    return connect(
      to,
      { name: "host", version: "1.0.0" },
      {
        elicit: ({ message }) => {
          this.asked.push(message);
          return { action: "accept", content: message.startsWith("Which") ? {} : { cups: 2 } };
        },
        elicitUrl: ({ url, elicitationId }) => {
          this.asked.push(url);
          if (elicitationId !== undefined)
            void this.client?.urlCompleted(elicitationId).then(() => this.happened("paid"));
          return { action: "accept" };
        },
        sample: ({ messages: [first] }) => {
          this.asked.push(JSON.stringify(first?.content));
          return { role: "assistant", content: { type: "text", text: "ah!" }, model: "tiny" };
        },
        roots: [{ uri: "file:///home/ada", name: "Home" }],
        tasks: true,
        onLog: (message) => this.logs.push(message),
        ...options,
      },
    );
  }

  client: Client | undefined;

  happened(what: string): void {
    this.#events.emit(what);
  }

  async hears(what: string): Promise<void> {
    await once(this.#events, what);
  }
}
