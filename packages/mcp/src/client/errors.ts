/** Client and server have no revision in common. */
export class VersionError extends Error {
  override name = "VersionError";
  /** What the server speaks, as far as it said. */
  readonly supported: readonly string[];

  constructor(message: string, supported: readonly string[]) {
    super(message);
    this.supported = supported;
  }
}

/** The server did not declare what a call needs; nothing was sent. */
export class CapabilityError extends Error {
  override name = "CapabilityError";
  readonly capability: string;

  constructor(method: string, capability: string) {
    super(`"${method}" was not sent: the server does not declare the capability "${capability}"`);
    this.capability = capability;
  }
}
