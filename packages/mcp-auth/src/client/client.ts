import type { AuthMethod, SigningKey } from "./description.ts";

/** The client as one authorization server knows it. */
export interface Client {
  readonly id: string;
  readonly secret?: string | undefined;
  readonly key?: SigningKey | undefined;
  readonly method: AuthMethod;
  /** Where it may be sent back to, as it was registered; undefined where that is not known here. */
  readonly redirectUris?: readonly string[] | undefined;
}
