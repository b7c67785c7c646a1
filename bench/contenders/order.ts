/** What is echoed. Small, since with large parameters every contender spends its time in JSON.parse. */
export const order = { itemId: "SKU001", quantity: 3 };

/** Throws unless it is a copy of what was sent: a contender that fails fast is not fast. */
export function checkEcho(result: unknown): void {
  if (JSON.stringify(result) !== JSON.stringify(order))
    throw new Error(`Expected the order, got ${JSON.stringify(result)}`);
}
