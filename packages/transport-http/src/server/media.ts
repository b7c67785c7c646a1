/** What a client takes as an answer. */
export interface Accepts {
  readonly json: boolean;
  readonly stream: boolean;
}

const BOTH: Accepts = { json: true, stream: true };

const known = new Map<string, Accepts>();

/** Reads an `Accept` header (RFC 9110, section 12.5.1). Without one anything is accepted. */
export function acceptsOf(header: string | undefined): Accepts {
  if (header === undefined) return BOTH;
  let accepts = known.get(header);
  if (!accepts) {
    accepts = read(header);
    if (known.size >= 100) known.clear();
    known.set(header, accepts);
  }
  return accepts;
}

function read(header: string): Accepts {
  const ranges = header.toLowerCase().split(",").map(rangeOf);
  return { json: takes(ranges, "application", "json"), stream: takes(ranges, "text", "event-stream") };
}

interface Range {
  readonly type: string;
  readonly wanted: boolean;
}

function rangeOf(text: string): Range {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  return { type, wanted: quality === undefined || Number(quality.slice(2)) !== 0 };
}

/** The most exact range that names the type decides. */
function takes(ranges: readonly Range[], type: string, subtype: string): boolean {
  for (const name of [`${type}/${subtype}`, `${type}/*`, "*/*"]) {
    const range = ranges.find((each) => each.type === name);
    if (range) return range.wanted;
  }
  return false;
}

/** Whether a body with this `Content-Type` is JSON text in UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  return (
    contentType !== undefined && /^application\/json(?:-rpc)?\s*(?:;\s*charset="?utf-?8"?\s*)?;?$/i.test(contentType)
  );
}
