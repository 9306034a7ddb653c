"use client";

import { FormBody, type FormProps } from "#components/application/form-body.tsx";
import { describeCause, SubmissionFailure } from "#components/application/submission-failure.tsx";
import { UnsentApplication } from "#components/application/unsent-application.tsx";
import { useApplicationForm } from "#components/application/use-application-form.ts";
import { Button } from "#components/ui/button.tsx";
import { dialogFailureCopy } from "#lib/content/application-dialog.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { failureCopy, keptActions } from "#lib/content/application-result.ts";

export function DialogForm({ onClose, ...props }: FormProps & { onClose: () => void }) {
  const { submission, state, phone } = props;
  const { formProps, element, isBusy, failure, errors, box } = useApplicationForm(props);
  const values = state.application?.values ?? {};

  async function takeBack() {
    await submission.takeBack();
    element.current?.querySelector("input")?.focus();
  }

  const isKept = state.status === "kept";
  const isBlocked = failure?.kind === "later" && failure.reason === "blocked";
  return (
    <form {...formProps} className="flex min-h-0 flex-auto flex-col">
      <div className="sheet-body">
        <p className="text-asphalt-600 type-helper">
          <span className="text-error-600">*</span> {applicationForm.note.dialog}
        </p>
        <FormBody {...props} errors={errors} />
        {failure && (
          <SubmissionFailure
            ref={box}
            form="dialog"
            failure={failure}
            title={dialogFailureCopy.title}
            text={
              isKept
                ? [...(isBlocked ? [failureCopy.blocked] : []), dialogFailureCopy.kept]
                : [describeCause(failure), failureCopy.offline]
            }
          >
            <UnsentApplication
              values={values}
              phone={phone}
              sms={failureCopy.sms}
              look="outline"
              isOpen={!isKept}
            >
              {isKept && (
                <button type="button" onClick={takeBack} className="notice-link">
                  {keptActions.edit}
                </button>
              )}
            </UnsentApplication>
          </SubmissionFailure>
        )}
      </div>
      <div className="sheet-buttons">
        <Button variant="outline" onClick={onClose}>
          {isKept ? applicationForm.close : applicationForm.cancel}
        </Button>
        <Button type="submit" busy={isBusy} className="px-3 md:min-w-48">
          {isBusy ? applicationForm.busy : failure ? failureCopy.again : applicationForm.submit}
        </Button>
      </div>
    </form>
  );
}
