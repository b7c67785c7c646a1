/** Something registered. It can change while clients are connected; they are told. */
export interface Registration<Options, Handler> {
  /** Replaces its options, and its handler if one is given. */
  update(options: Options, handler?: Handler): void;
  enable(): void;
  /** Keeps it, but shows it to nobody. */
  disable(): void;
  remove(): void;
}

interface Slot<Entry, Handler> {
  entry: Entry;
  handler: Handler;
  enabled: boolean;
}

export interface RegistryOptions<Options, Handler, Entry> {
  /** What is registered here, for messages: "tool". */
  readonly kind: string;
  /** Makes an entry ready for use. What it throws becomes a TypeError that names the entry. */
  readonly make: (name: string, options: Options, handler: Handler) => Entry;
  /** Told of each change that clients can see. */
  readonly changed: () => void;
}

/** What a server offers of one kind, by name, in the order of registration. */
export class Registry<Options, Handler, Entry> {
  /** Another one after each change that clients can see. */
  state = 0;
  readonly #slots = new Map<string, Slot<Entry, Handler>>();
  readonly #options: RegistryOptions<Options, Handler, Entry>;

  constructor(options: RegistryOptions<Options, Handler, Entry>) {
    this.#options = options;
  }

  /** Undefined also for what is disabled. */
  get(name: string): Entry | undefined {
    const slot = this.#slots.get(name);
    return slot?.enabled ? slot.entry : undefined;
  }

  /** Without what is disabled. */
  entries(): Entry[] {
    return [...this.#slots.values()].filter(({ enabled }) => enabled).map(({ entry }) => entry);
  }

  /** Throws a TypeError that names the entry when it can't be published. */
  add(name: string, options: Options, handler: Handler): Registration<Options, Handler> {
    const slots = this.#slots;
    if (slots.has(name)) throw this.#wrong(name, "registered already; update or remove that one first");
    const slot: Slot<Entry, Handler> = { entry: this.#entry(name, options, handler), handler, enabled: true };
    slots.set(name, slot);
    this.#changed();
    // After `remove` the name may belong to another registration.
    const isRegistered = (): boolean => slots.get(name) === slot;
    const show = (enabled: boolean): void => {
      if (!isRegistered() || slot.enabled === enabled) return;
      slot.enabled = enabled;
      this.#changed();
    };
    return {
      update: (next, nextHandler = slot.handler) => {
        if (!isRegistered()) throw this.#wrong(name, "it was removed; register it again");
        slot.entry = this.#entry(name, next, nextHandler);
        slot.handler = nextHandler;
        this.#changed();
      },
      enable: () => show(true),
      disable: () => show(false),
      remove: () => void (isRegistered() && slots.delete(name) && this.#changed()),
    };
  }

  #changed(): void {
    this.state++;
    this.#options.changed();
  }

  #entry(name: string, options: Options, handler: Handler): Entry {
    try {
      return this.#options.make(name, options, handler);
    } catch (cause) {
      throw this.#wrong(name, cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #wrong(name: string, why: string, cause?: unknown): TypeError {
    return new TypeError(`${this.#options.kind} "${name}": ${why}`, cause === undefined ? undefined : { cause });
  }
}
