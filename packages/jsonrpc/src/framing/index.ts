export { Body, type Refusal } from "./body.ts";
export { contentLength } from "./content-length.ts";
export type { Decoder, DecoderOptions, Frame, Framing } from "./framing.ts";
export { MAX_BYTES } from "./framing.ts";
export { newline } from "./newline.ts";
