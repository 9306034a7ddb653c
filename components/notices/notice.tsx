"use client";

import { type ComponentProps, useEffect, useState } from "react";
import { serverErrors } from "#components/application/form-errors.ts";
import { TextMessage } from "#components/application/text-message.tsx";
import { correctionHref, temporaryNumber } from "#components/notices/use-records.ts";
import { CloseButton } from "#components/ui/close-button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon, CircleAlertIcon, InfoIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, FIELDS } from "#lib/application/fields.ts";
import { koreanDay, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
import { applicationText, summarise } from "#lib/application/summary.ts";
import { sendsInBackground } from "#lib/browser/background.ts";
import {
  type Draft,
  type Expired,
  KEEP_MS,
  type Kept,
  type Received,
  type Refused,
  type Waiting,
} from "#lib/browser/record.ts";
import { sendNow } from "#lib/browser/sender.ts";
import { change, remove } from "#lib/browser/store.ts";
import { kept, promise, receipt, waiting } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref } from "#lib/content/links.ts";
import { KEEP_DAYS } from "#lib/content/on-device.ts";

const LOOK = {
  waiting: { Icon: WifiOffIcon, box: "border-lane-700 bg-lane-100", icon: "" },
  refused: { Icon: CircleAlertIcon, box: "border-error-500 bg-error-50", icon: "text-error-600" },
  received: { Icon: CheckIcon, box: "border-sign-700 bg-sign-100", icon: "text-sign-700" },
  expired: { Icon: InfoIcon, box: "border-asphalt-450 bg-asphalt-100", icon: "" },
} as const;

export type Told = Exclude<Kept, Draft>;

export interface Place {
  phone: string;
  /** When the owner calls back, in the owner's words. */
  callback?: string | undefined;
  /** The notice is about to go. */
  moveFocus: () => void;
}

/** What became of an application: it waits on this device, was refused, was received, or has expired. */
export function Notice({ record, ...place }: Place & { record: Told }) {
  const { Icon, box, icon } = LOOK[record.state];
  const isReceipt = record.state === "received" && record.byPress;
  return (
    <section
      aria-label={isReceipt ? receipt.title : undefined}
      className={`flex gap-3 rounded-l border pl-4 text-asphalt-900 sm:pl-5 ${box}`}
    >
      <Icon className={`mt-4.5 size-5 ${icon}`} />
      {"values" in record ? (
        <Unsent record={record} {...place} />
      ) : (
        <Ended record={record} {...place} />
      )}
    </section>
  );
}

function Ended({ record, callback, moveFocus }: Place & { record: Received | Expired }) {
  const { id } = record;
  useEffect(() => {
    const see = () => {
      if (!document.hidden) void change(id, { type: "seen", now: Date.now() });
    };
    see();
    document.addEventListener("visibilitychange", see);
    return () => document.removeEventListener("visibilitychange", see);
  }, [id]);
  return (
    <>
      <div className="min-w-0 flex-1 py-4 leading-normal">
        {record.state === "expired" ? (
          <Title>{fill(waiting.expired, { days: KEEP_DAYS })}</Title>
        ) : (
          <>
            <Title>{record.byPress ? receipt.title : waiting.sent}</Title>
            <p className="tabular type-small">
              {receipt.number}{" "}
              <strong className="inline-block">
                {formatApplicationId(record.receipt.applicationId)}
              </strong>
            </p>
            <p className="-mr-12 tabular type-small">
              {seoulDateTime(Date.parse(record.receipt.submittedAt))}
            </p>
            {callback && <p className="type-small">{callback}</p>}
          </>
        )}
      </div>
      <CloseButton
        onClick={() => {
          moveFocus();
          void remove(id);
        }}
        className="m-2 hover:bg-white"
      />
    </>
  );
}

function Unsent({ record, phone, moveFocus }: Place & { record: Waiting | Refused }) {
  const [attempt, setAttempt] = useState<"sending" | "failed">();
  const { id, values, at, ageMs, lookedAt } = record;
  const until = koreanDay(seoulDate(lookedAt + KEEP_MS - ageMs));
  const title = attempt === "sending" ? waiting.sending : waiting.title;

  async function send() {
    // Announced here alone: a screen reader must not speak at each of the page's own attempts.
    setAttempt("sending");
    setAttempt((await sendNow(record)) ? undefined : "failed");
  }

  return (
    <div className="min-w-0 pt-4 pr-4 pb-1.5 sm:pr-5">
      {record.state === "refused" ? (
        <>
          <Title>{waiting.refused}</Title>
          <WrongFields record={record} />
        </>
      ) : (
        <Title>
          {fill(title, { promise: sendsInBackground() ? promise.background : promise.visit })}
        </Title>
      )}
      <div className="my-1 grid gap-0.5 tabular type-small wrap-anywhere">
        <TextMessage text={summarise(values)} />
        <p>
          {kept.number} <span className="inline-block">{temporaryNumber(at)}</span>
        </p>
        {record.state === "waiting" && (
          <>
            <p>
              <Copy text={fill(waiting.until, { date: until })} />
            </p>
            {attempt === "failed" && <Title>{waiting.notSent}</Title>}
          </>
        )}
      </div>
      <div className="flex flex-wrap gap-x-5">
        {record.state === "refused" ? (
          <a href={correctionHref(id)} className="notice-link">
            {waiting.correct}
          </a>
        ) : (
          <NoticeButton aria-disabled={attempt === "sending"} onClick={() => void send()}>
            {waiting.now}
          </NoticeButton>
        )}
        <a href={smsHref(phone, applicationText(values))} className="notice-link">
          {waiting.sms}
        </a>
        <Remove
          onRemove={() => {
            moveFocus();
            void remove(id);
          }}
        />
      </div>
    </div>
  );
}

function Title({ children }: { children: string }) {
  return (
    <p className="text-balance font-strong">
      <Copy text={children} />
    </p>
  );
}

function WrongFields({ record: { refusal } }: { record: Refused }) {
  const errors = serverErrors(refusal.errors);
  return (
    <ul className="type-small">
      {FIELD_NAMES.filter((field) => errors[field]).map((field) => (
        <li key={field}>
          {FIELDS[field].label}: {errors[field]}
        </li>
      ))}
    </ul>
  );
}

/** Asks once before it deletes: a finger easily hits the wrong button, and what is deleted here is gone. */
function Remove({ onRemove }: { onRemove: () => void }) {
  const [asked, setAsked] = useState<boolean>();
  if (!asked)
    return (
      <NoticeButton autoFocus={asked === false} onClick={() => setAsked(true)}>
        {waiting.remove}
      </NoticeButton>
    );
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
