"use client";

import { type ReactNode, type Ref, useRef } from "react";
import { type ErrorMessages, fieldId } from "#components/application/application-fields.tsx";
import { serverErrors } from "#components/application/form-errors.ts";
import { MessageText } from "#components/application/message-text.tsx";
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

/** Whether the server named fields of the form that are wrong. */
export function hasWrongFields({ result }: Submitted): boolean {
  return result.kind === "refused" && Object.keys(serverErrors(result.errors)).length > 0;
}

/** What a press has come to that was not received. The values stay in the form, and the ways that are left follow. */
export function Failure({
  form,
  failed,
  phone,
  ref,
}: {
  form: FormName;
  failed: Submitted;
  phone: string;
  ref: Ref<HTMLDivElement>;
}) {
  const { result, values } = failed;
  const shown = useRef<HTMLParagraphElement>(null);
  if (result.kind === "refused" && hasWrongFields(failed)) {
    return (
      <FailureBox ref={ref} title={refusal.title}>
        <p>
          <Copy text={refusal.text} />
        </p>
        <WrongFields form={form} errors={serverErrors(result.errors)} />
      </FailureBox>
    );
  }
  const text = applicationText(values);
  const inDialog = form === "dialog";
  return (
    <FailureBox ref={ref} title={inDialog ? dialogFailure.title : failure.title}>
      {inDialog && <p>{dialogFailure.valuesKept}</p>}
      {result.kind === "kept" ? (
        <p>
          <Copy
            text={fill(dialogFailure.kept, {
              promise: sendsInBackground() ? promise.background : promise.visit,
            })}
          />
        </p>
      ) : (
        <>
          <p className="wrap-anywhere">{errorTextOf(result)}</p>
          <p>
            <Copy text={failure.offline} />
          </p>
        </>
      )}
      <div className="mt-3 mb-2 flex flex-wrap items-center gap-2.5">
        {inDialog && (
          <Button size="sm" onClick={({ currentTarget }) => currentTarget.form?.requestSubmit()}>
            {failure.again}
          </Button>
        )}
        <ButtonLink href={smsHref(phone, text)} variant="outline" size="sm" icon={MessageIcon}>
          {failure.sms}
        </ButtonLink>
        <a href={telHref(phone)} className="notice-link">
          {failure.call}
        </a>
      </div>
      {/* To read and to copy, with the number: not every in-app browser opens an `sms:` link. */}
      <p>
        <Copy text={fill(failure.byHand, { phone })} />
      </p>
      <p ref={shown} className="my-2 font-strong tabular wrap-anywhere">
        <MessageText text={text} />
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CopyButton text={text} shown={shown} copy={copyMessage} />
      </div>
    </FailureBox>
  );
}

function errorTextOf(result: Submitted["result"]): string {
  if ("errorText" in result && result.errorText !== undefined) return result.errorText;
  const isConnection = "reason" in result && result.reason === "connection";
  return isConnection ? failure.connection : failure.unknown;
}

/** What went wrong, announced at once. */
export function FailureBox({
  title,
  children,
  id,
  ref,
}: {
  title: string;
  children: ReactNode;
  /** Where an address leads the focus to. */
  id?: string;
  ref?: Ref<HTMLDivElement> | undefined;
}) {
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
        {children}
      </div>
    </div>
  );
}

/** The wrong fields of a form, in its order, each as a link to it. */
export function WrongFields({ form, errors }: { form: FormName; errors: ErrorMessages }) {
  return (
    <ul>
      {FIELD_NAMES.filter((field) => errors[field] !== undefined).map((field) => (
        <li key={field}>
          <a href={`#${fieldId(form, field)}`} className="error-link">
            {FIELDS[field].label}: {errors[field]}
          </a>
        </li>
      ))}
    </ul>
  );
}
