import { type Flow, type Reception, authorizationCode } from "../src/index.ts";

/** Where nothing listens: the redirect is read off the answer that leads there. */
export const REDIRECT = "http://localhost:33418/callback";

/** Somebody who logs in and agrees to everything, and counts how often that was. */
export interface Person {
  readonly flow: Flow;
  readonly visits: string[];
}

/** `change` may tamper with the address to which the person comes back. */
export function person(change: (back: URL) => void = () => {}, redirectUri = REDIRECT): Person {
  const visits: string[] = [];
  const visit: Reception["visit"] = async (page) => {
    visits.push(page);
    const response = await fetch(page, { redirect: "manual" });
    const back = new URL(response.headers.get("location") ?? `${redirectUri}?status=${response.status}`);
    change(back);
    return back;
  };
  return { flow: authorizationCode(() => ({ redirectUri, visit })), visits };
}
