import type { Carrier } from "./carrier.ts";
import type { Auth } from "./verify.ts";

/** What an endpoint serves: it gets requests that have passed every check that doesn't need their body. */
export interface Resource {
  /** The methods it takes, for `Allow`. */
  readonly methods: string;
  /** Response headers that a web page may read. */
  readonly exposed: readonly string[];
  /** The id in the error body of a request that could not be read. */
  readonly unread: null | undefined;
  post(carrier: Carrier, text: string, auth: Auth | undefined): void;
  get?(carrier: Carrier, auth: Auth | undefined): void;
  delete?(carrier: Carrier, auth: Auth | undefined): void;
  /** Ends what is open: at once what stays open by itself, calls after at most `deadline` ms. */
  close(deadline: number): Promise<void>;
}
