import type { ComponentProps, ReactNode, Ref } from "react";
import { MessageText, TEXT_MESSAGE_ID } from "#components/application/message-text.tsx";
import { InvalidFields, NoticeBox, NoticeDetails } from "#components/notices/notice-box.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import type { FormName } from "#lib/application/fields.ts";
import { visitorTextMessage } from "#lib/application/summary.ts";
import type { Failure } from "#lib/browser/entry.ts";
import { hasErrors } from "#lib/browser/form-errors.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { copyMessageButton, failureCopy, refusalCopy } from "#lib/content/application-result.ts";
import { fillPlaceholders } from "#lib/content/copy.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

/** Why a submission has not arrived: the fields that the server refused, or `children` for any other failure. */
export function SubmissionFailure({
  ref,
  form,
  failure,
  title,
  text,
  children,
}: {
  ref: Ref<HTMLElement>;
  form: FormName;
  failure: Failure;
  title: string;
  text: readonly string[];
  children: ReactNode;
}) {
  const errors = failure.kind === "refused" ? failure.refusal.errors : {};
  if (hasErrors(errors))
    return (
      <FailureBox ref={ref} title={refusalCopy.title} text={[refusalCopy.text]}>
        <InvalidFields form={form} errors={errors} />
      </FailureBox>
    );
  return (
    <FailureBox ref={ref} title={title} text={text}>
      {children}
    </FailureBox>
  );
}

export function describeCause(failure: Failure): string {
  if (failure.kind === "refused") return failure.refusal.errorText;
  if (failure.errorText) return failure.errorText;
  const { reason } = failure;
  return reason === "connection" || reason === "blocked"
    ? failureCopy[reason]
    : failureCopy.unknown;
}

/** What the visitor can do without the site: send the application as a text message, or call. */
export function TextMessage({
  values,
  phone,
  action,
  children,
  ...details
}: ComponentProps<"details"> & { values: FormValues; phone: string; action?: ReactNode }) {
  const text = visitorTextMessage(values);
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-x-5">
        <ButtonLink
          href={smsHref(phone, text)}
          variant="outline"
          icon={MessageIcon}
          className="min-h-11 px-4.5 text-small"
        >
          {failureCopy.sms}
        </ButtonLink>
        {action}
      </div>
      <NoticeDetails {...details}>
        {children}
        {/* Some in-app browsers open no `sms:` link, so the visitor can copy the text. */}
        <Copy as="p" text={fillPlaceholders(failureCopy.byHand, { phone })} />
        <MessageText id={TEXT_MESSAGE_ID} text={text} className="my-2 font-strong" />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <CopyButton text={text} shown={TEXT_MESSAGE_ID} copy={copyMessageButton} />
          <CallLink phone={phone} />
        </div>
      </NoticeDetails>
    </>
  );
}

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
      tabIndex={-1}
      className="scroll-mt-24 scroll-mb-5 type-small"
    >
      <Copy as="p" className="font-bold text-[1.0625rem] text-error-600" text={title} />
      {text.map((sentence) => (
        <Copy key={sentence} as="p" className="wrap-anywhere" text={sentence} />
      ))}
      {children}
    </NoticeBox>
  );
}

export function CallLink({ phone }: { phone: string }) {
  return (
    <a href={telHref(phone)} className="notice-link">
      {failureCopy.call}
    </a>
  );
}
