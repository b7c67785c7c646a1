/** The shape of the global `fetch`. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;
