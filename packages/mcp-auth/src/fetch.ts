/** The shape of the global `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
