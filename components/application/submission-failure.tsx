import type { ComponentProps, Ref } from "react";
import { MessageText, TEXT_MESSAGE_ID } from "#components/application/message-text.tsx";
import { InvalidFields, NoticeBox, NoticeDetails } from "#components/notices/notice-box.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { visitorTextMessage } from "#lib/application/summary.ts";
import { hasErrors } from "#lib/browser/form-errors.ts";
import type { FormState } from "#lib/browser/form-state.ts";
import {
  copyMessageButton,
  dialogFailureCopy,
  failureCopy,
  refusalCopy,
} from "#lib/content/application-result.ts";
import { fillPlaceholders } from "#lib/content/copy.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

export function SubmissionFailure({
  state,
  phone,
  ref,
}: {
  state: FormState;
  phone: string;
  ref: Ref<HTMLElement>;
}) {
  const errors = state.refusal?.errors ?? {};
  if (hasErrors(errors))
    return (
      <FailureBox ref={ref} title={refusalCopy.title} text={[refusalCopy.text]}>
        <InvalidFields form={state.form} errors={errors} />
      </FailureBox>
    );
  const inDialog = state.form === "dialog";
  const text = visitorTextMessage(state.submitted);
  return (
    <FailureBox
      ref={ref}
      title={inDialog ? dialogFailureCopy.title : failureCopy.title}
      text={sentencesFor(state, inDialog)}
    >
      <ButtonLink
        href={smsHref(phone, text)}
        variant="outline"
        icon={MessageIcon}
        className="mt-3 min-h-11 px-4.5 text-small"
      >
        {failureCopy.sms}
      </ButtonLink>
      <NoticeDetails open={state.status !== "queued"}>
        {state.status === "not-queued" && inDialog && (
          <p className="wrap-anywhere">{describeCause(state)}</p>
        )}
        {/* Some in-app browsers open no `sms:` link, so the visitor can copy the text. */}
        <Copy as="p" text={fillPlaceholders(failureCopy.byHand, { phone })} />
        <MessageText id={TEXT_MESSAGE_ID} text={text} className="my-2 font-strong" />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <CopyButton text={text} shown={TEXT_MESSAGE_ID} copy={copyMessageButton} />
          <CallLink phone={phone} />
        </div>
      </NoticeDetails>
    </FailureBox>
  );
}

/** The dialog shows one sentence about a failed request, so that its buttons stay in view. /contact adds the cause. */
function sentencesFor(state: FormState, inDialog: boolean): string[] {
  if (state.isChanged && state.status === "queued") return [dialogFailureCopy.changed];
  if (state.status === "queued")
    return [fillPlaceholders(dialogFailureCopy.kept, { whenSent: state.whenSent })];
  if (state.refusal) return [state.refusal.errorText, failureCopy.offline];
  return inDialog ? [failureCopy.offline] : [describeCause(state), failureCopy.offline];
}

function describeCause({ errorText, reason }: FormState): string {
  return errorText || (reason === "connection" ? failureCopy.connection : failureCopy.unknown);
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
      state="rejected"
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
