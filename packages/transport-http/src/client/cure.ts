import { type Request, type Response, isResponse } from "@x/jsonrpc";
import type { Link } from "./link.ts";
import type { Cure } from "./protocol.ts";

/** Has a protocol ask what it wants to know before a refused request is sent once more; whether it is worth that. */
export async function cured(link: Link, cure: Cure): Promise<boolean> {
  let step = cure.next();
  while (!step.done) step = cure.next(await answerTo(step.value, link));
  return step.value;
}

/** Undefined where the request fails. */
async function answerTo(request: Request, link: Link): Promise<Response | undefined> {
  let answer: Response | undefined;
  const receive = (message: unknown): void => {
    if (isResponse(message)) answer = message;
  };
  const asking = link.exchange(request, { receive });
  await asking.run().catch((error: unknown) => link.report(error, "transport"));
  return answer;
}
