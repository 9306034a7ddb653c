"use client";

import { type ComponentProps, type Ref, useRef } from "react";
import { wrongFields } from "#components/application/form-errors.ts";
import { TextMessage } from "#components/application/text-message.tsx";
import { Box, WrongFields } from "#components/notices/box.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { MessageIcon } from "#components/ui/icons.tsx";
import { applicationText } from "#lib/application/summary.ts";
import { whatFollows } from "#lib/browser/background.ts";
import type { FormRecord } from "#lib/browser/form-record.ts";
import type { SubmitResult } from "#lib/browser/sender.ts";
import { copyMessage, dialogFailure, failure, refusal } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

/** What a press has come to that was not received. The values stay in the form, and the ways that are left follow. */
export function Failure({
  record: { form, pressed = {} },
  result,
  phone,
  ref,
}: {
  record: FormRecord;
  result: SubmitResult;
  phone: string;
  ref: Ref<HTMLElement>;
}) {
  const shown = useRef<HTMLParagraphElement>(null);
  const errors = result.kind === "refused" ? result.refusal.errors : {};
  if (wrongFields(errors).length > 0)
    return (
      <FailureBox ref={ref} title={refusal.title} text={[refusal.text]}>
        <WrongFields form={form} errors={errors} />
      </FailureBox>
    );
  const inDialog = form === "dialog";
  const text = applicationText(pressed);
  return (
    <FailureBox
      ref={ref}
      title={inDialog ? dialogFailure.title : failure.title}
      text={inDialog ? [dialogFailure.valuesKept, ...whatNow(result)] : whatNow(result)}
    >
      <div className="mt-3 mb-2 flex flex-wrap items-center gap-2.5">
        {inDialog && (
          <Button size="sm" onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
            {failure.again}
          </Button>
        )}
        <ButtonLink href={smsHref(phone, text)} variant="outline" size="sm" icon={MessageIcon}>
          {failure.sms}
        </ButtonLink>
        <CallLink phone={phone} />
      </div>
      {/* To read and to copy, with the number: not every in-app browser opens an `sms:` link. */}
      <p>
        <Copy text={fill(failure.byHand, { phone })} />
      </p>
      <TextMessage ref={shown} text={text} className="my-2 font-strong" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CopyButton text={text} shown={shown} copy={copyMessage} />
      </div>
    </FailureBox>
  );
}

/** Why it was not received, and what becomes of it. */
function whatNow(result: SubmitResult): string[] {
  if (result.kind === "kept") return [fill(dialogFailure.kept, { promise: whatFollows() })];
  if (result.kind === "refused") return [result.refusal.errorText, failure.offline];
  const { errorText, reason } = { errorText: undefined, reason: undefined, ...result };
  const why = reason === "connection" ? failure.connection : failure.unknown;
  return [errorText || why, failure.offline];
}

/** The failure, announced at once, and the visitor's options. */
export function FailureBox({
  title,
  text,
  children,
  ...rest
}: ComponentProps<"section"> & { title: string; text: readonly string[] }) {
  return (
    <Box
      {...rest}
      state="refused"
      role="alert"
      tabIndex={-1}
      className="scroll-mt-24 scroll-mb-5 type-small"
    >
      <p className="font-bold text-[1.0625rem] text-error-600">
        <Copy text={title} />
      </p>
      {text.map((sentence) => (
        <p key={sentence} className="wrap-anywhere">
          <Copy text={sentence} />
        </p>
      ))}
      {children}
    </Box>
  );
}

export function CallLink({ phone }: { phone: string }) {
  return (
    <a href={telHref(phone)} className="notice-link">
      {failure.call}
    </a>
  );
}
