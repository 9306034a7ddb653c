"use client";

import { type ComponentProps, useEffect, useState } from "react";
import type { Place } from "#components/application/result.tsx";
import { TextMessage } from "#components/application/text-message.tsx";
import { Box, WrongFields } from "#components/notices/box.tsx";
import { useRecords } from "#components/notices/use-records.ts";
import { CloseButton } from "#components/ui/close-button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { formatApplicationId, temporaryNumber } from "#lib/application/application-id.ts";
import { koreanDay, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
import { applicationText, summarise } from "#lib/application/summary.ts";
import { whatFollows } from "#lib/browser/background.ts";
import { thisTab } from "#lib/browser/names.ts";
import { KEEP_MS, type Kept } from "#lib/browser/record.ts";
import { sendNow, startSending } from "#lib/browser/start-sending.ts";
import { isShownHere, write } from "#lib/browser/store.ts";
import { kept, receipt } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_ID, FORM_PAGE, smsHref } from "#lib/content/links.ts";
import { KEEP_DAYS } from "#lib/content/on-device.ts";
import { waiting } from "#lib/content/waiting.ts";

// Once: this code stays, whichever page of the site comes next.
startSending();

type Told = Exclude<Kept, { state: "draft" }>;

type NoticePlace = Pick<Place, "phone" | "callback">;

type Of<State> = NoticePlace & { record: Extract<Told, { state: State }>; onRemove: () => void };

/**
 * What this device keeps: above the form on /contact, at the top of every other page. What waits, what was sent of it
 * and what was refused is announced when it changes. The receipt of a press was told when it came.
 * A live region says only what comes into it once it is there. `atOnce`: nothing is announced that is known already.
 */
export function Notices({ atOnce = false, ...place }: NoticePlace & { atOnce?: boolean }) {
  const [isThere, setThere] = useState(atOnce);
  useEffect(() => setThere(true), []);
  const told = useRecords().filter(
    (record): record is Told => isThere && record.state !== "draft" && !isShownHere(record.id),
  );
  const isReceipt = (record: Told) => record.state === "received" && record.byPress;
  const regions = [
    { role: undefined, of: told.filter((record) => isReceipt(record) && record.tab === thisTab()) },
    { role: "status", of: told.filter((each) => each.state !== "refused" && !isReceipt(each)) },
    { role: "alert", of: told.filter(({ state }) => state === "refused") },
  ];
  return regions.map(({ role, of }) => (
    <div key={role ?? "receipt"} role={role} className="grid gap-3">
      {of.map((record) => (
        <Notice key={record.id} record={record} {...place} />
      ))}
    </div>
  ));
}

/** State of an application: waiting on this device, refused, received, or expired. */
function Notice({ record, ...place }: NoticePlace & { record: Told }) {
  const isReceipt = record.state === "received" && record.byPress;
  const onRemove = () => {
    // It is about to go: the focus moves on to what follows it, not out of the page.
    const next = document.getElementById(FORM_ID) ?? document.getElementById("content");
    next?.focus({ preventScroll: true });
    void write(record.id);
  };
  return (
    <Box state={record.state} aria-label={isReceipt ? receipt.title : undefined}>
      {"values" in record ? (
        <Unsent {...place} record={record} onRemove={onRemove} />
      ) : (
        <Ended {...place} record={record} onRemove={onRemove} />
      )}
    </Box>
  );
}

function Ended({ record, callback, onRemove }: Of<"received" | "expired">) {
  return (
    <div className="flex">
      <div className="min-w-0 flex-1 leading-normal">
        {record.state === "expired" ? (
          <Title>{fill(waiting.expired, { days: KEEP_DAYS })}</Title>
        ) : (
          <>
            <Title>{record.byPress ? receipt.title : receipt.sent}</Title>
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
      <CloseButton onClick={onRemove} className="-my-2 -mr-2 ml-5 hover:bg-white sm:-mr-3" />
    </div>
  );
}

function Unsent({ record, phone, onRemove }: Of<"waiting" | "refused">) {
  const [attempt, setAttempt] = useState<"sending" | "failed">();
  const { id, values, at, ageMs, lookedAt } = record;
  const refusal = record.state === "refused" ? record.refusal : undefined;
  const unsent = attempt === "sending" ? waiting.sending : waiting.title;
  const until = koreanDay(seoulDate(lookedAt + KEEP_MS - ageMs));

  async function send() {
    // Announced here alone: a screen reader must not speak at each of the page's own attempts.
    setAttempt("sending");
    setAttempt((await sendNow(record)) ? undefined : "failed");
  }

  function correct() {
    if (record.state === "refused") void write(id, { ...record, correctIn: thisTab() });
  }

  return (
    <>
      <Title>{fill(refusal ? waiting.refused : unsent, { promise: whatFollows() })}</Title>
      {refusal && <WrongFields errors={refusal.errors} />}
      <div className="my-1 grid gap-0.5 tabular type-small wrap-anywhere">
        <TextMessage text={summarise(values)} />
        <p>
          {kept.number} <span className="inline-block">{temporaryNumber(at)}</span>
        </p>
        {!refusal && (
          <p>
            <Copy text={fill(waiting.until, { date: until })} />
          </p>
        )}
        {!refusal && attempt === "failed" && <Title>{waiting.notSent}</Title>}
      </div>
      <div className="-mb-2.5 flex flex-wrap gap-x-5">
        {refusal ? (
          <a href={FORM_PAGE} onClick={correct} className="notice-link">
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
        <Remove onRemove={onRemove} />
      </div>
    </>
  );
}

function Title({ children }: { children: string }) {
  return (
    <p className="text-balance font-strong">
      <Copy text={children} />
    </p>
  );
}

/** Asks once before it deletes: a finger easily hits the wrong button, and what is deleted here is gone. */
function Remove({ onRemove }: { onRemove: () => void }) {
  return (
    <details className="contents">
      <summary className="notice-link list-none">{waiting.remove}</summary>
      <span className="flex flex-wrap items-center gap-x-4 type-small">
        {waiting.removeAsk}
        <NoticeButton onClick={onRemove}>{waiting.removeYes}</NoticeButton>
      </span>
    </details>
  );
}

function NoticeButton(props: ComponentProps<"button">) {
  return <button type="button" {...props} className="notice-link" />;
}
