import type { ComponentProps, ReactNode } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { FailureBox } from "#components/application/submission-failure.tsx";
import { ApplyByCallLink } from "#components/application/unsent-application.tsx";
import { InvalidFields } from "#components/notice-boxes/notice-box.tsx";
import { Button } from "#components/ui/button.tsx";
import { POST_PATHS } from "#lib/application/fields.ts";
import type { ErrorMessages } from "#lib/browser/form-errors.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";
import { FORM_RESULT_ID, formResultTexts } from "#lib/content/form-result.ts";

export function RefusedForm({
  message,
  phone,
  submitNotes,
  ...fields
}: ComponentProps<typeof ApplicationFields> & {
  message: string;
  errors: ErrorMessages;
  phone: string;
  submitNotes: ReactNode;
}) {
  const { form, errors } = fields;
  return (
    <form method="post" action={POST_PATHS[form]} noValidate className="grid gap-8">
      <h1 className="text-asphalt-900 type-h2">{applicationFormTexts.title}</h1>
      <FailureBox id={FORM_RESULT_ID} title={formResultTexts.refusedTitle} text={[message]}>
        <InvalidFields form={form} errors={errors} />
        <ApplyByCallLink phone={phone} />
      </FailureBox>
      <ApplicationFields {...fields} />
      {submitNotes}
      <Button type="submit" size="lg" className="w-full">
        {applicationFormTexts.submit}
      </Button>
    </form>
  );
}
