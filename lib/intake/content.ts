import { FIELD_NAMES, type FieldName, HONEYPOT_FIELD } from "#lib/application/fields.ts";

export type Encoding = "json" | "form";

/** Fields as they were sent; the schema judges them. */
export type Content = {
  /** The field that no person sees was filled in. */
  honeypot: boolean;
} & (
  | { encoding: "json"; fields: unknown }
  | { encoding: "form"; fields: Partial<Record<FieldName, string>> }
);

/**
 * How the body is encoded: JSON from the site's own script, form fields from a browser without
 * JavaScript. Undefined for everything else, another charset or a compressed body included.
 */
export function encodingOf(headers: Headers): Encoding | undefined {
  if (headers.has("content-encoding")) return undefined;
  const [type = "", ...parameters] = (headers.get("content-type") ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters
    .filter((parameter) => parameter.startsWith("charset="))
    .every((parameter) => /^charset="?utf-?8"?$/.test(parameter));
  if (!isUtf8) return undefined;
  if (type === "application/json") return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  return undefined;
}

/** What the body holds, or undefined when it is not UTF-8 or not JSON. */
export function contentOf(bytes: Uint8Array, encoding: Encoding): Content | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return encoding === "json" ? jsonContent(JSON.parse(text)) : formContent(text);
  } catch {
    // What the parser says quotes the body, so that it goes nowhere.
    return undefined;
  }
}

function jsonContent(fields: unknown): Content {
  const isObject = typeof fields === "object" && fields !== null;
  const decoy: unknown = isObject ? Reflect.get(fields, HONEYPOT_FIELD) : undefined;
  const honeypot = decoy !== undefined && decoy !== null && decoy !== "";
  return { encoding: "json", fields, honeypot };
}

/** Only the ten fields, each as the text that was entered; the last one where a name comes twice. */
function formContent(text: string): Content {
  const form = new URLSearchParams(text);
  const fields: Partial<Record<FieldName, string>> = Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const value = form.getAll(field).at(-1);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const honeypot = form.getAll(HONEYPOT_FIELD).some((value) => value !== "");
  return { encoding: "form", fields, honeypot };
}
