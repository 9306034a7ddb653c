import type { ComponentProps, ReactNode, Ref } from "react";
import { InvalidFields, NoticeBox } from "#components/notice-boxes/notice-box.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import type { FormName } from "#lib/application/fields.ts";
import type { Failure } from "#lib/browser/entry.ts";
import { hasErrors } from "#lib/browser/form-errors.ts";
import { refusalTexts, submissionFailureTexts } from "#lib/content/application-result.ts";

/** Says why a submission has not arrived. Below it: the fields that the server refused, or else `children`. */
export function SubmissionFailure({
  ref,
  form,
  failure,
  title,
  kept,
  children,
}: {
  ref: Ref<HTMLElement>;
  form: FormName;
  failure: Failure;
  title: string;
  /** The sentence for an application that this device keeps. */
  kept: string | undefined;
  children: ReactNode;
}) {
  const errors = failure.kind === "refused" ? failure.refusal.errors : {};
  if (hasErrors(errors))
    return (
      <FailureBox ref={ref} title={refusalTexts.title} text={[refusalTexts.text]}>
        <InvalidFields form={form} errors={errors} />
      </FailureBox>
    );
  return (
    <FailureBox
      ref={ref}
      title={title}
      text={kept ? [kept] : [describeCause(failure), submissionFailureTexts.offline]}
    >
      {children}
    </FailureBox>
  );
}

function describeCause(failure: Failure): string {
  if (failure.kind === "refused") return failure.refusal.errorText;
  if (failure.errorText) return failure.errorText;
  const { connection, unknown } = submissionFailureTexts;
  return failure.reason === "connection" ? connection : unknown;
}

/** app/result.css moves a box with a list of refused fields to the top of the form on phones. */
export function FailureBox({
  title,
  text,
  children,
  ...rest
}: ComponentProps<"section"> & { title: string; text: readonly string[] }) {
  return (
    <NoticeBox
      {...rest}
      state="refused"
      role="alert"
      aria-atomic={false}
      tabIndex={-1}
      className="failure-box"
    >
      <PageText as="p" className="font-bold text-[1.0625rem] text-error-600" text={title} />
      {text.map((sentence) => (
        <PageText key={sentence} as="p" className="wrap-anywhere" text={sentence} />
      ))}
      {children}
    </NoticeBox>
  );
}
