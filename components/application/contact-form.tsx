"use client";

import { FormBody, type FormProps } from "#components/application/form-body.tsx";
import { describeCause, SubmissionFailure } from "#components/application/submission-failure.tsx";
import { UnsentApplication } from "#components/application/unsent-application.tsx";
import { useApplicationForm } from "#components/application/use-application-form.ts";
import { Button } from "#components/ui/button.tsx";
import { applicationForm } from "#lib/content/application-form.ts";
import { failureCopy } from "#lib/content/application-result.ts";

export function ContactForm(props: FormProps) {
  const { formProps, isBusy, failure, errors, box } = useApplicationForm(props);
  return (
    <form {...formProps} className="grid grid-cols-1 gap-5">
      <FormBody {...props} errors={errors} />
      {failure && (
        <SubmissionFailure
          ref={box}
          form="contact"
          failure={failure}
          title={failureCopy.title}
          text={[describeCause(failure), failureCopy.offline]}
        >
          <UnsentApplication
            values={props.state.application?.values ?? {}}
            phone={props.phone}
            sms={failureCopy.sms}
            look="outline"
            isOpen
          />
        </SubmissionFailure>
      )}
      <Button type="submit" size="lg" busy={isBusy} className="w-full">
        {isBusy ? applicationForm.busy : applicationForm.submit}
      </Button>
    </form>
  );
}
