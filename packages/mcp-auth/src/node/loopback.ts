import type { Flow } from "../flow.ts";
import { authorizationCode } from "../flows/authorization-code.ts";
import { openBrowser } from "./browser.ts";
import { Desk, type DeskOptions } from "./desk.ts";

export interface LoopbackOptions extends DeskOptions {
  /** Sends the person to the page (default: opens their browser, or prints the address where there is none). */
  readonly open?: ((page: string) => void | Promise<void>) | undefined;
  /** ms that the person has (default 5 minutes). */
  readonly timeout?: number | undefined;
}

const TIMEOUT = 5 * 60 * 1000;

/**
 * For programs on a person's own machine: the person logs in with their browser and comes back to an address of this
 * machine (RFC 8252 section 7.3).
 */
export function loopback({ open = openOrPrint, timeout = TIMEOUT, ...options }: LoopbackOptions = {}): Flow {
  return authorizationCode(async ({ clientName, known }) => {
    const desk = await Desk.open(options, clientName, known);
    return {
      redirectUri: desk.address,
      async visit(page, state, signal) {
        const back = desk.wait(state, timeout, signal);
        // It may fail while the page is still being opened.
        back.catch(() => {});
        await open(page);
        return await back;
      },
      close: () => desk.close(),
    };
  });
}

async function openOrPrint(page: string): Promise<void> {
  try {
    await openBrowser(page);
  } catch {
    console.error(`Log in at ${page}`);
  }
}
