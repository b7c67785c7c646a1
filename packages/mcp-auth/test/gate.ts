/** Holds somebody up until it is opened, and tells when somebody has come. */
export interface Gate {
  readonly arrived: Promise<void>;
  /** For whoever is to wait. */
  pass(): Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let arrive!: () => void;
  let open!: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    arrived,
    pass() {
      arrive();
      return opened;
    },
    open,
  };
}
