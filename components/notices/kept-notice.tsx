"use client";

import { type ComponentProps, useState } from "react";
import { serverErrors } from "#components/application/form-errors.ts";
import { MessageText } from "#components/application/message-text.tsx";
import { CORRECT_HASH } from "#components/application/use-correction.ts";
import { Copy } from "#components/ui/copy.tsx";
import { CircleAlertIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { FIELD_NAMES } from "#lib/application/fields.ts";
import { koreanDay, seoulDate } from "#lib/application/seoul-time.ts";
import { applicationText, summarise } from "#lib/application/summary.ts";
import { remove } from "#lib/browser/outbox.ts";
import { expiresAt, type OutboxEntry, temporaryNumber } from "#lib/browser/outbox-entry.ts";
import { refresh } from "#lib/browser/outbox-state.ts";
import { resendNow } from "#lib/browser/resend-schedule.ts";
import type { RefusalDetails } from "#lib/browser/send.ts";
import { fieldCopy } from "#lib/content/application-form.ts";
import { kept, waiting } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref } from "#lib/content/links.ts";

/** An application that waits on this device, or that the server would not take as it is. */
export function KeptNotice({
  entry: { idempotencyKey, values, keptAt, refusal },
  phone,
  sending,
  notSent,
  moveFocus,
}: {
  entry: OutboxEntry;
  phone: string;
  sending: boolean;
  /** The visitor asked to send it now, and it did not succeed. */
  notSent: boolean;
  /** The notice is about to go. */
  moveFocus: () => void;
}) {
  const Icon = refusal ? CircleAlertIcon : WifiOffIcon;
  const title = refusal ? waiting.refused : sending ? waiting.sending : waiting.title;
  const summary = summarise(values);
  return (
    <div
      className={`flex gap-3 rounded-l border px-4 pt-4 pb-1.5 text-asphalt-900 sm:px-5 ${refusal ? "border-error-500 bg-error-50" : "border-lane-700 bg-lane-100"}`}
    >
      <Icon className={`mt-0.5 size-5 ${refusal ? "text-error-600" : ""}`} />
      <div className="min-w-0">
        <p className="text-balance font-strong">
          <Copy text={title} />
        </p>
        {refusal && <WhatIsWrong refusal={refusal} />}
        <div className="my-1 grid gap-0.5 tabular type-small wrap-anywhere">
          <p>
            <MessageText text={summary} />
          </p>
          <p>
            {kept.number} <span className="inline-block">{temporaryNumber(keptAt)}</span>
          </p>
          {!refusal && (
            <p>
              <Copy text={fill(waiting.until, { date: koreanDay(seoulDate(expiresAt(keptAt))) })} />
            </p>
          )}
          {notSent && !refusal && (
            <p className="font-strong">
              <Copy text={waiting.notSent} />
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-x-5">
          {refusal ? (
            <a href={`/contact${CORRECT_HASH}`} className="notice-link">
              {waiting.correct}
            </a>
          ) : (
            <NoticeButton aria-disabled={sending} onClick={() => void resendNow()}>
              {waiting.now}
            </NoticeButton>
          )}
          <a href={smsHref(phone, applicationText(values))} className="notice-link">
            {waiting.sms}
          </a>
          <Remove
            onRemove={() => {
              moveFocus();
              void remove(idempotencyKey).then(refresh);
            }}
          />
        </div>
      </div>
    </div>
  );
}

function WhatIsWrong({ refusal }: { refusal: RefusalDetails }) {
  const errors = serverErrors(refusal.errors);
  return (
    <ul className="type-small">
      {FIELD_NAMES.map(
        (field) =>
          errors[field] && (
            <li key={field}>
              {fieldCopy[field].label}: {errors[field]}
            </li>
          ),
      )}
    </ul>
  );
}

/** Asks once before it deletes: a finger easily hits the wrong button, and what is deleted here is gone. */
function Remove({ onRemove }: { onRemove: () => void }) {
  const [asked, setAsked] = useState<boolean>();
  if (!asked) {
    return (
      <NoticeButton autoFocus={asked === false} onClick={() => setAsked(true)}>
        {waiting.remove}
      </NoticeButton>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-4">
      <span className="type-small max-sm:basis-full">{waiting.removeAsk}</span>
      <NoticeButton autoFocus onClick={onRemove}>
        {waiting.removeYes}
      </NoticeButton>
      <NoticeButton onClick={() => setAsked(false)}>{waiting.removeNo}</NoticeButton>
    </span>
  );
}

function NoticeButton(props: ComponentProps<"button">) {
  return <button type="button" {...props} className="notice-link" />;
}
