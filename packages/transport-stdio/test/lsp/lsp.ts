import type { Id, Params, Profile } from "@x/jsonrpc";

/** What the Language Server Protocol does in its own way. */
export const lsp: Profile = {
  batches: false,
  freshIds: true,
  cancel: {
    method: "$/cancelRequest",
    params: (id) => ({ id }),
    id: (params) => member(params, "id"),
    // A cancelled request is still answered: RequestCancelled.
    answer: { code: -32800, message: "The request was cancelled" },
  },
  progress: {
    method: "$/progress",
    attach: (params, token) => ({ ...params, workDoneToken: token }),
    token: (params) => member(params, "token"),
  },
};

const member = (params: Params | undefined, name: string): Id | undefined =>
  (params as { readonly [name: string]: Id } | undefined)?.[name];
