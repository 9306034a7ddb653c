import type { FieldName, FormName } from "#lib/application/fields.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { FORM_RESULT_ID } from "#lib/content/form-result.ts";
import { type FormResult, keepFormResult } from "#lib/intake/form-results.ts";
import type { Reception } from "#lib/intake/receive.ts";

/** Where app/contact/result shows it. */
const RESULT_PATH = "/contact/result/";

/** A redirect to the page that shows the receipt, or the entered values with what is wrong. */
export async function answerForm(
  reception: Reception,
  form: FormName,
  values: Partial<Record<FieldName, string>>,
): Promise<Response> {
  const token = await keepFormResult(resultOf(reception, form, values));
  return new Response(null, {
    status: 303,
    headers: { Location: `${RESULT_PATH}${token}#${FORM_RESULT_ID}`, "Cache-Control": "no-store" },
  });
}

function resultOf(
  reception: Reception,
  form: FormName,
  values: Partial<Record<FieldName, string>>,
): FormResult {
  if (reception.ok) {
    const { applicationId, submittedAt, application } = reception;
    const receipt = { applicationId, submittedAt: seoulIso(submittedAt) };
    return { kind: "received", receipt, application };
  }
  const { message, errors = {} } = reception.refusal;
  return { kind: "refused", form, message, errors, values };
}
