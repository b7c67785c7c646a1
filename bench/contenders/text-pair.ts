/** One of two joined ends that hand text to each other, in order, in a microtask. */
export interface TextEnd {
  onText: (text: string) => void;
  send(text: string): void;
}

/** The same carrier for everybody who has none of their own in memory. */
export function textPair(): [TextEnd, TextEnd] {
  const [a, b] = [new End(), new End()];
  a.other = b;
  b.other = a;
  return [a, b];
}

class End implements TextEnd {
  other!: End;
  onText: (text: string) => void = () => {};
  #inbox: string[] = [];

  send(text: string): void {
    const { other } = this;
    if (other.#inbox.push(text) === 1) queueMicrotask(() => other.#deliver());
  }

  #deliver(): void {
    const arrived = this.#inbox;
    this.#inbox = [];
    for (const text of arrived) this.onText(text);
  }
}
