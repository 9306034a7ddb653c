import {
  ApplicationFields,
  type ErrorMessages,
} from "#components/application/application-fields.tsx";
import { FailureBox, WrongFields } from "#components/application/failure.tsx";
import { PersonalDataNotice } from "#components/application/personal-data-notice.tsx";
import { Button } from "#components/ui/button.tsx";
import type { FieldName, FormName } from "#lib/application/fields.ts";
import { ENDPOINTS } from "#lib/browser/send.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { failure } from "#lib/content/application-result.ts";
import { FORM_RESULT_ID, formResultCopy } from "#lib/content/form-result.ts";
import { telHref } from "#lib/content/links.ts";

/** The form again, as it was filled in, with what is wrong: for a browser without JavaScript. */
export function FormCorrection({
  form,
  message,
  errors,
  values,
  phone,
  retentionDays,
}: {
  form: FormName;
  message: string;
  errors: ErrorMessages;
  values: Partial<Record<FieldName, string>>;
  phone: string;
  retentionDays: number;
}) {
  return (
    <form method="post" action={ENDPOINTS[form]}>
      <h1 className="mb-8 text-asphalt-900 type-h2">{applicationForm.title}</h1>
      <div className="mb-8">
        <FailureBox id={FORM_RESULT_ID} title={formResultCopy.refusedTitle}>
          <p>{message}</p>
          {Object.keys(errors).length > 0 && (
            <>
              <p>{formResultCopy.summaryLead}</p>
              <WrongFields form={form} errors={errors} />
            </>
          )}
          <p>
            <a href={telHref(phone)} className="notice-link">
              {failure.call}
            </a>
          </p>
        </FailureBox>
      </div>
      <ApplicationFields form={form} values={values} errors={errors} />
      <div className="mt-6 grid gap-5">
        <PersonalDataNotice retentionDays={retentionDays} />
        <Button type="submit" size="lg" className="w-full">
          {applicationForm.submit}
        </Button>
      </div>
    </form>
  );
}
