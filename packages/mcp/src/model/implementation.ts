/** An image for people to recognise something by. `src` is an https: or data: URI. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  /** `WxH`, or `any` for scalable images. */
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}

/** Who a client or server says it is. Self-reported: for display and logs, not for decisions. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  /** For people; `name` is for programs. */
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}
