import type { ReactNode } from "react";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { Copy } from "#components/ui/copy.tsx";
import type { ErrorMessages } from "#lib/browser/form-errors.ts";
import type { FormState, FormSubmission } from "#lib/browser/form-submission.ts";
import { applicationForm } from "#lib/content/application-form.ts";

export interface FormProps {
  submission: FormSubmission;
  state: FormState;
  phone: string;
  submitNotes: ReactNode;
}

/** The fields of both forms, and the notes above the submit button. */
export function FormBody({
  submission,
  state,
  errors,
  submitNotes,
}: FormProps & { errors: ErrorMessages }) {
  const isClosed = state.status === "sending" || state.status === "kept";
  const isTakenBack = state.status === "editing" && state.application && !state.failure;
  return (
    <>
      <ApplicationFields
        form={submission.form}
        errors={errors}
        disabled={isClosed}
        sending={state.status === "sending"}
      />
      {submitNotes}
      {/* A screen reader announces only text that is added to an existing status. */}
      <div role="status" className="contents">
        {isTakenBack && (
          <Copy as="p" className="font-strong text-asphalt-900" text={applicationForm.unsent} />
        )}
      </div>
    </>
  );
}
