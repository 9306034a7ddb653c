/**
 * The answer to a form that was sent without JavaScript is a redirect to a result page. A cookie carries the result, so
 * that every server can show the page, even while the store is unavailable.
 */
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { z } from "zod";
import { isApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, FORM_NAMES, type FormName } from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/rules.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { FORM_RESULT_ID } from "#lib/content/form-result.ts";
import type { EnteredValues } from "#lib/intake/body.ts";
import type { IntakeResult } from "#lib/intake/responses.ts";

const RESULT_PATH = "/contact/result";
export const RESULT_COOKIE = "form-result";
const MAX_AGE_SECONDS = 30 * 60;
/**
 * Nginx answers 502 to more than 4,096 bytes of headers. The other headers take 760; 1,000 different Chinese characters
 * need 2,900 compressed bytes.
 */
const MAX_COOKIE_VALUE_LENGTH = 2_950;
/** A forged cookie is not unpacked beyond this size, four times that of the largest request. */
const MAX_UNPACKED_BYTES = 64 * 1_024;

const fieldNameSchema = z.enum(FIELD_NAMES);
const formResultSchema = z.object({
  form: z.enum(FORM_NAMES),
  values: z.partialRecord(fieldNameSchema, z.string()),
  receipt: z
    .object({
      applicationId: z.string().refine(isApplicationId),
      submittedAt: z.iso.datetime({ offset: true }),
    })
    .optional(),
  message: z.string().default(""),
  errors: z.partialRecord(fieldNameSchema, z.array(z.string())).default({}),
});
type FormResult = z.infer<typeof formResultSchema>;

export function formResponse(
  result: IntakeResult,
  form: FormName,
  values: EnteredValues,
  { secure }: { secure: boolean },
): Response {
  const value = cookieValue(toFormResult(result, form, values));
  const attributes = `Path=${RESULT_PATH}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax`;
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

function toFormResult(result: IntakeResult, form: FormName, values: EnteredValues): FormResult {
  if (!result.ok) {
    const { message, errors = {} } = result.refusal;
    return { form, values, message, errors };
  }
  const { applicationId, submittedAt } = result;
  const receipt = { applicationId, submittedAt: seoulIso(submittedAt) };
  return { form, values, receipt, message: "", errors: {} };
}

/** Leaves out the longest values until the cookie fits. */
function cookieValue(result: FormResult): string {
  const value = brotliCompressSync(JSON.stringify(result)).toString("base64url");
  const [longest, ...shorter] = Object.entries(result.values).sort(
    ([, one], [, other]) => other.length - one.length,
  );
  if (value.length <= MAX_COOKIE_VALUE_LENGTH || longest === undefined) return value;
  return cookieValue({ ...result, values: Object.fromEntries(shorter) });
}

/** Undefined for a cookie without a valid result. */
export function parseFormResult(cookie: string | undefined) {
  const result = formResultSchema.safeParse(unpack(cookie ?? "")).data;
  if (result?.receipt === undefined) return result && ({ kind: "refused", ...result } as const);
  const { form, receipt, values } = result;
  const parsed = parseApplication(form, values);
  if (!parsed.ok) return undefined;
  return { kind: "received", form, receipt, application: parsed.application } as const;
}

function unpack(value: string): unknown {
  try {
    const bytes = Buffer.from(value, "base64url");
    const limit = { maxOutputLength: MAX_UNPACKED_BYTES };
    return JSON.parse(brotliDecompressSync(bytes, limit).toString());
  } catch {
    return undefined;
  }
}
