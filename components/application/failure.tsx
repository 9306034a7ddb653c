"use client";

import { type ReactNode, type Ref, useRef } from "react";
import type { ErrorMessages } from "#components/application/application-fields.tsx";
import { fieldId } from "#components/application/field.tsx";
import { serverErrors } from "#components/application/form-errors.ts";
import { TextMessage } from "#components/application/text-message.tsx";
import type { Submitted } from "#components/application/use-application-form.ts";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CircleAlertIcon, MessageIcon } from "#components/ui/icons.tsx";
import { FIELD_NAMES, FIELDS, type FormName } from "#lib/application/fields.ts";
import { applicationText } from "#lib/application/summary.ts";
import { sendsInBackground } from "#lib/browser/background.ts";
import {
  copyMessage,
  dialogFailure,
  failure,
  promise,
  refusal,
} from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

/** What a press has come to that was not received. The values stay in the form, and the ways that are left follow. */
export function Failure({
  form,
  failed: { result, values },
  phone,
  ref,
}: {
  form: FormName;
  failed: Submitted;
  phone: string;
  ref: Ref<HTMLDivElement>;
}) {
  const shown = useRef<HTMLParagraphElement>(null);
  const errors = result.kind === "refused" ? serverErrors(result.errors) : {};
  if (Object.keys(errors).length > 0)
    return (
      <FailureBox
        ref={ref}
        form={form}
        errors={errors}
        title={refusal.title}
        text={[refusal.text]}
      />
    );
  const inDialog = form === "dialog";
  const text = applicationText(values);
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
function whatNow(result: Submitted["result"]): string[] {
  if (result.kind === "kept") {
    const kept = sendsInBackground() ? promise.background : promise.visit;
    return [fill(dialogFailure.kept, { promise: kept })];
  }
  const isConnection = "reason" in result && result.reason === "connection";
  const why = isConnection ? failure.connection : failure.unknown;
  return [("errorText" in result && result.errorText) || why, failure.offline];
}

/** What went wrong, announced at once, and the wrong fields of the form, each as a link to it. */
export function FailureBox({
  title,
  text,
  form,
  errors = {},
  children,
  id,
  ref,
}: {
  title: string;
  text: readonly string[];
  form?: FormName;
  errors?: ErrorMessages;
  children?: ReactNode;
  /** Where an address leads the focus to. */
  id?: string;
  ref?: Ref<HTMLDivElement>;
}) {
  const wrong = FIELD_NAMES.filter((field) => errors[field] !== undefined);
  return (
    <div
      id={id}
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="flex scroll-mt-24 scroll-mb-5 gap-3 rounded-l border border-error-500 bg-error-50 px-4 py-4 sm:px-5"
    >
      <CircleAlertIcon className="mt-0.5 size-5 text-error-600" />
      <div className="min-w-0 text-asphalt-900 type-small">
        <p className="font-bold text-[1.0625rem] text-error-600">
          <Copy text={title} />
        </p>
        {text.map((sentence) => (
          <p key={sentence} className="wrap-anywhere">
            <Copy text={sentence} />
          </p>
        ))}
        {form && wrong.length > 0 && (
          <ul>
            {wrong.map((field) => (
              <li key={field}>
                <a
                  href={`#${fieldId(form, field)}`}
                  className="inline-flex min-h-11 items-center font-strong text-error-600 underline underline-offset-4 hover:decoration-2"
                >
                  {FIELDS[field].label}: {errors[field]}
                </a>
              </li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </div>
  );
}

export function CallLink({ phone }: { phone: string }) {
  return (
    <a href={telHref(phone)} className="notice-link">
      {failure.call}
    </a>
  );
}
