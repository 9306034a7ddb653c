import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { FIELD_NAMES, type FieldName, HONEYPOT_FIELD } from "#lib/application/fields.ts";

const MAX_BYTES = 16 * 1_024;
/** Limits of what is read after a refusal: bytes, and a share of the time for a body. */
const MAX_REFUSED_BYTES = 1_048_576;
const REFUSED_TIME_SHARE = 1 / 5;

/** The parts of Node's request that intake uses. */
export interface RequestWithBody extends Readable {
  headers: IncomingHttpHeaders;
}

type BodyFault = "tooLarge" | "tooSlow" | "malformed";

/**
 * Never throws. `malformed`: the connection ended before the body did. A refused body is read on, within limits: a
 * response before its end would reset the connection, and the browser would show its own error page, not the refusal.
 */
export async function readBody(
  request: RequestWithBody,
  timeLimitMs: number,
): Promise<Buffer | BodyFault> {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const chunks: Buffer[] = [];
  let length = 0;
  let fault: BodyFault | undefined;
  let timer = setTimeout(refuse, timeLimitMs, "tooSlow");

  function refuse(why: BodyFault): void {
    if (fault) return;
    fault = why;
    clearTimeout(timer);
    timer = setTimeout(resolve, timeLimitMs * REFUSED_TIME_SHARE, false);
  }

  if (Number(request.headers["content-length"]) > MAX_BYTES) refuse("tooLarge");
  request.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length <= MAX_BYTES) chunks.push(chunk);
    else refuse("tooLarge");
    if (length > MAX_REFUSED_BYTES) resolve(false);
  });
  request.once("end", () => resolve(true));
  request.on("error", () => resolve(false));
  const isComplete = await ended;
  clearTimeout(timer);
  return fault ?? (isComplete ? Buffer.concat(chunks) : "malformed");
}

type BodyFormat = "json" | "form";
const BODY_FORMATS: ReadonlyMap<string, BodyFormat> = new Map([
  ["application/json", "json"],
  ["application/x-www-form-urlencoded", "form"],
]);

/** The values of a form that was sent without JavaScript. */
export type EnteredValues = Partial<Record<FieldName, string>>;

/** `json`: from the site's script. `form`: without JavaScript. Undefined: another type or charset, or compressed. */
export function findBodyFormat(headers: Headers): BodyFormat | undefined {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const isOther = parameters.some((each) => /^charset=(?!"?utf-?8"?$)/.test(each));
  return headers.has("content-encoding") || isOther ? undefined : BODY_FORMATS.get(type);
}

/** Undefined for a body that is not UTF-8, or that `format` does not fit. */
export function decodeBody(bytes: Uint8Array, format: BodyFormat) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return format === "json" ? jsonContent(JSON.parse(text)) : formContent(text);
  } catch {
    // The parser's error is dropped, because the error quotes the body.
    return undefined;
  }
}

function jsonContent(fields: unknown) {
  const isObject = typeof fields === "object" && fields !== null;
  const decoy: unknown = isObject ? Reflect.get(fields, HONEYPOT_FIELD) : undefined;
  const isHoneypotFilled = decoy !== undefined && decoy !== null && decoy !== "";
  return { fields, isHoneypotFilled, values: {} };
}

/** If a name occurs twice, the last value counts. @throws URIError for escapes that are not UTF-8, such as EUC-KR's */
function formContent(text: string) {
  // Throws for escapes that are not UTF-8, which URLSearchParams would replace. It would also throw for a lone %,
  // which a form may contain, so that is escaped first.
  decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, "%25"));
  const form = new URLSearchParams(text);
  const values: EnteredValues = {};
  for (const field of FIELD_NAMES) {
    const entered = form.getAll(field).at(-1);
    if (entered !== undefined) values[field] = entered;
  }
  const isHoneypotFilled = form.getAll(HONEYPOT_FIELD).some((value) => value !== "");
  return { fields: values, isHoneypotFilled, values };
}
