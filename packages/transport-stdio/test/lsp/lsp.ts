import type { Id, Params, Profile } from "@x/jsonrpc";

/** Parameters are by name throughout. */
type Fields = { readonly [name: string]: unknown };

/** What the Language Server Protocol does in its own way. */
export const lsp: Profile = {
  batches: false,
  freshIds: true,
  cancel: {
    method: "$/cancelRequest",
    params: (id) => ({ id }),
    id: (params) => idIn(params, "id"),
    // A cancelled request is answered all the same: RequestCancelled.
    answer: { code: -32800, message: "The request was cancelled" },
  },
  progress: {
    method: "$/progress",
    attach: (params, token) => ({ ...(params as Fields | undefined), workDoneToken: token }),
    token: (params) => idIn(params, "token"),
  },
};

function idIn(params: Params | undefined, name: string): Id | undefined {
  return (params as { readonly [name: string]: Id } | undefined)?.[name];
}
