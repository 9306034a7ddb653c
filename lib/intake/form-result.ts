/**
 * The answer to a form that was sent without JavaScript: a redirect to a page, and a cookie with what the page
 * shows. The server keeps nothing, so any server can show it, also while the store is out.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { isApplicationId } from "#lib/application/application-id.ts";
import {
  type Application,
  FIELD_NAMES,
  type FieldName,
  FORM_NAMES,
  type FormName,
} from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/schema.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { FORM_RESULT_ID } from "#lib/content/form-result.ts";
import type { IntakeResult } from "#lib/intake/responses.ts";

/** app/contact/result. */
const RESULT_PATH = "/contact/result";
export const RESULT_COOKIE = "form-result";
const KEPT_SECONDS = 30 * 60;
/** Browsers drop a cookie of more than 4,096 bytes; nginx, by default, a response with more in all its headers. */
const LONGEST_VALUE = 3_600;
/** Four times what a request may carry: no cookie of ours unpacks to more. */
const LARGEST_UNPACKED_BYTES = 64 * 1_024;

/** What a form without script held when it was sent: only the fields that were in the request. */
export type EnteredValues = Partial<Record<FieldName, string>>;

const field = z.enum(FIELD_NAMES);
const form = z.enum(FORM_NAMES);
const formResult = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("received"),
    form,
    receipt: z.object({
      applicationId: z.string().refine(isApplicationId),
      submittedAt: z.iso.datetime({ offset: true }),
    }),
    application: z.unknown(),
  }),
  z.object({
    kind: z.literal("refused"),
    form,
    message: z.string(),
    errors: z.partialRecord(field, z.array(z.string())),
    values: z.partialRecord(field, z.string()),
  }),
]);

type Kept = z.infer<typeof formResult>;
type Refused = Extract<Kept, { kind: "refused" }>;
export type FormResult =
  | Refused
  | (Exclude<Kept, Refused> & {
      /** Without the message, which the receipt does not show. */
      application: Application;
    });

/** A redirect to the page that shows the receipt, or the entered values with what is wrong. */
export function formResponse(
  result: IntakeResult,
  form: FormName,
  values: EnteredValues,
  { secure }: { secure: boolean },
): Response {
  const value = cookieValue(formResultOf(result, form, values));
  const attributes = `Path=${RESULT_PATH}; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax`;
  const connection = result.ok ? undefined : result.refusal.headers?.Connection;
  return new Response(null, {
    status: 303,
    headers: {
      Location: `${RESULT_PATH}#${FORM_RESULT_ID}`,
      "Set-Cookie": `${RESULT_COOKIE}=${value}; ${attributes}${secure ? "; Secure" : ""}`,
      "Cache-Control": "no-store",
      ...(connection && { Connection: connection }),
    },
  });
}

function formResultOf(result: IntakeResult, form: FormName, values: EnteredValues): FormResult {
  if (result.ok) {
    const { applicationId, submittedAt } = result;
    const receipt = { applicationId, submittedAt: seoulIso(submittedAt) };
    return { kind: "received", form, receipt, application: { ...result.application, message: "" } };
  }
  const { message, errors = {} } = result.refusal;
  return { kind: "refused", form, message, errors, values };
}

/** Texts far beyond their limits may not fit: the longest one is left out until the rest fits. */
function cookieValue(result: FormResult): string {
  const value = deflateRawSync(JSON.stringify(result)).toString("base64url");
  if (value.length <= LONGEST_VALUE || result.kind === "received") return value;
  const [longest, ...shorter] = Object.entries(result.values).sort(
    ([, one], [, other]) => other.length - one.length,
  );
  if (longest === undefined) return value;
  return cookieValue({ ...result, values: Object.fromEntries(shorter) });
}

/** The result in a cookie; undefined when it is none of ours. */
export function formResultIn(cookie: string | undefined): FormResult | undefined {
  const kept = formResult.safeParse(unpacked(cookie ?? "")).data;
  if (kept?.kind !== "received") return kept;
  const parsed = parseApplication(kept.form, kept.application);
  return parsed.ok ? { ...kept, application: parsed.application } : undefined;
}

function unpacked(value: string): unknown {
  try {
    const bytes = Buffer.from(value, "base64url");
    const limit = { maxOutputLength: LARGEST_UNPACKED_BYTES };
    return JSON.parse(inflateRawSync(bytes, limit).toString());
  } catch {
    // Cut or made up: no result.
    return undefined;
  }
}
