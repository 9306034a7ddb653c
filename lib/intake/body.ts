import { FIELD_NAMES, type FieldName, HONEYPOT_FIELD } from "#lib/application/fields.ts";

const MAX_BYTES = 16 * 1_024;

/** Never throws. `malformed`: the connection ended before the body did. */
export async function readBody(request: Request, timeLimitMs: number) {
  if (Number(request.headers.get("content-length")) > MAX_BYTES) return "tooLarge";
  if (request.body === null) return new Uint8Array();

  const reader = request.body.getReader();
  const timer = Promise.withResolvers<"tooSlow">();
  const timeout = setTimeout(() => timer.resolve("tooSlow"), timeLimitMs);
  const outcome = await Promise.race([collect(reader), timer.promise]);
  clearTimeout(timeout);
  // The response does not wait for the cancellation, which may never settle.
  if (typeof outcome === "string") reader.cancel().catch(() => undefined);
  return outcome;
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      length += value.byteLength;
      if (length > MAX_BYTES) return "tooLarge";
      chunks.push(value);
    }
  } catch {
    return "malformed";
  }
}

type BodyFormat = "json" | "form";
const BODY_FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ["application/json", "json"],
  ["application/x-www-form-urlencoded", "form"],
]);

/** The values of a form that was sent without JavaScript. */
export type EnteredValues = Partial<Record<FieldName, string>>;

/** `json`: from the site's script. `form`: without JavaScript. Undefined also for a body that is not plain UTF-8. */
export function findBodyFormat(headers: Headers): BodyFormat | undefined {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const isOther = parameters.some((each) => /^charset=(?!"?utf-?8"?$)/.test(each));
  return headers.has("content-encoding") || isOther ? undefined : BODY_FORMATS.get(type);
}

/** Undefined for a body that is not UTF-8 or not JSON. */
export function decodeBody(bytes: Uint8Array, encoding: BodyFormat) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return encoding === "json" ? jsonContent(JSON.parse(text)) : formContent(text);
  } catch {
    // The parser's error is dropped, because the error quotes the body.
    return undefined;
  }
}

function jsonContent(fields: unknown) {
  const isObject = typeof fields === "object" && fields !== null;
  const decoy: unknown = isObject ? Reflect.get(fields, HONEYPOT_FIELD) : undefined;
  const honeypot = decoy !== undefined && decoy !== null && decoy !== "";
  return { fields, honeypot, values: {} };
}

/** If a name occurs twice, the last value counts. @throws URIError for escapes that are not UTF-8, as of EUC-KR */
function formContent(text: string) {
  // URLSearchParams would replace such escapes. It takes a % without two digits as it is.
  decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, "%25"));
  const form = new URLSearchParams(text);
  const values: EnteredValues = {};
  for (const field of FIELD_NAMES) {
    const entered = form.getAll(field).at(-1);
    if (entered !== undefined) values[field] = entered;
  }
  const honeypot = form.getAll(HONEYPOT_FIELD).some((value) => value !== "");
  return { fields: values, honeypot, values };
}
