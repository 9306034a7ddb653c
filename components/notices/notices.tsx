"use client";

import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { MessageText } from "#components/application/message-text.tsx";
import type { BusinessContact } from "#components/application/result.tsx";
import { InvalidFields, NoticeBox, NoticeDetails } from "#components/notices/notice-box.tsx";
import { CloseButton } from "#components/ui/close-button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { formatApplicationId, temporaryNumber } from "#lib/application/application-id.ts";
import { dateWithWeekday, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
import { summarise, visitorTextMessage } from "#lib/application/summary.ts";
import { whenSentText } from "#lib/browser/background.ts";
import { drafts } from "#lib/browser/drafts.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { type DeviceRecord, expiresAt, type Queued, type Rejected } from "#lib/browser/record.ts";
import { sender } from "#lib/browser/sender.ts";
import { sendNow, startSending } from "#lib/browser/start-sending.ts";
import { queuedCopy, receiptCopy } from "#lib/content/application-result.ts";
import { fillPlaceholders } from "#lib/content/copy.ts";
import { FORM_ID, FORM_PAGE_PATH, smsHref } from "#lib/content/links.ts";
import { RECORD_DAYS } from "#lib/content/on-device.ts";
import { queuedNotice } from "#lib/content/queued-notice.ts";

startSending();

/**
 * Shows and announces the records of this device. A receipt that a form has announced appears silently, in that form's
 * tab. Records follow the first rendering, because a live region announces only additions. `atOnce`: no announcement.
 */
export function Notices({ atOnce = false, ...details }: BusinessContact & { atOnce?: boolean }) {
  const [isMounted, setMounted] = useState(atOnce);
  useEffect(() => setMounted(true), []);
  const shown = useSyncExternalStore(outbox.subscribe, outbox.records).filter(
    ({ id }) => isMounted && !outbox.isShownByForm(id) && !sender.isBeingSubmitted(id),
  );
  const rejected = shown.filter(({ state }) => state === "rejected");
  const receipts = shown.filter((each) => isToldByForm(each) && each.tab === drafts.tabId);
  const others = shown.filter((each) => each.state !== "rejected" && !isToldByForm(each));
  const regions = [
    ["alert", rejected],
    [undefined, receipts],
    ["status", others],
  ] as const;
  return regions.map(([role, records]) => (
    <div key={role ?? "receipt"} role={role} className="grid gap-3">
      {records.map((record) => (
        <Notice key={`${record.id} ${record.state}`} record={record} {...details} />
      ))}
    </div>
  ));
}

const isToldByForm = (record: DeviceRecord) => record.state === "received" && record.toldByForm;

function Notice({ record, phone, callback }: BusinessContact & { record: DeviceRecord }) {
  const onRemove = () => {
    // The focus moves on, because the notice is about to disappear.
    const next = document.getElementById(FORM_ID) ?? document.getElementById("content");
    next?.focus({ preventScroll: true });
    void outbox.apply(record.id, { type: "removed" });
  };
  const unsent = { phone, onRemove };
  return (
    <NoticeBox
      state={record.state}
      aria-label={isToldByForm(record) ? receiptCopy.title : undefined}
    >
      {record.state === "queued" && <QueuedNotice {...unsent} record={record} />}
      {record.state === "rejected" && <RejectedNotice {...unsent} record={record} />}
      {"seen" in record && <FinalNotice record={record} callback={callback} onRemove={onRemove} />}
    </NoticeBox>
  );
}

function FinalNotice({
  record,
  callback,
  onRemove,
}: {
  record: Extract<DeviceRecord, { seen: boolean }>;
  callback: string | undefined;
  onRemove: () => void;
}) {
  const receivedTitle = isToldByForm(record) ? receiptCopy.title : receiptCopy.sent;
  const expiredTitle = fillPlaceholders(queuedNotice.expired, { days: RECORD_DAYS });
  return (
    <div className="leading-normal">
      <div className="flex">
        <div className="min-w-0 flex-1">
          <NoticeTitle text={record.state === "received" ? receivedTitle : expiredTitle} />
        </div>
        <CloseButton onClick={onRemove} className="-my-2 -mr-2 ml-5 hover:bg-white sm:-mr-3" />
      </div>
      {record.state === "received" && (
        <>
          <p className="tabular type-small">
            {receiptCopy.number}{" "}
            <strong className="inline-block">
              {formatApplicationId(record.receipt.applicationId)}
            </strong>
          </p>
          <NoticeDetails className="type-small">
            <p className="tabular">{seoulDateTime(Date.parse(record.receipt.submittedAt))}</p>
            {callback && <p>{callback}</p>}
          </NoticeDetails>
        </>
      )}
    </div>
  );
}

interface UnsentProps {
  phone: string;
  onRemove: () => void;
}

function QueuedNotice({ record, ...rest }: UnsentProps & { record: Queued }) {
  const [attempt, setAttempt] = useState<"sending" | "failed">();
  const isLocked = sender.isLockedForEditing(record.id);
  const title = attempt === "sending" ? queuedNotice.sending : queuedNotice.title;
  const date = dateWithWeekday(seoulDate(expiresAt(record, Date.now())));

  async function send(notices: HTMLElement | null) {
    // Only an attempt that the visitor starts is announced.
    setAttempt("sending");
    if (!(await sendNow(record))) return setAttempt("failed");
    // The focused button may have disappeared with its notice: then the focus moves to the remaining notices.
    if (!notices || document.activeElement !== document.body) return;
    notices.tabIndex = -1;
    notices.classList.add("outline-none");
    notices.focus({ preventScroll: true });
  }

  return (
    <>
      <NoticeTitle text={isLocked ? queuedNotice.editing : title} />
      {!isLocked && attempt === "failed" && <NoticeTitle text={queuedNotice.notSent} />}
      <UnsentActions
        {...rest}
        record={record}
        first={
          !isLocked && (
            <button
              type="button"
              aria-disabled={attempt === "sending"}
              onClick={({ currentTarget }) => void send(currentTarget.closest(".notices"))}
              className="notice-link"
            >
              {queuedNotice.now}
            </button>
          )
        }
      >
        {!isLocked && <Copy as="p" text={whenSentText()} />}
        <Copy as="p" text={fillPlaceholders(queuedNotice.until, { date })} />
      </UnsentActions>
    </>
  );
}

function RejectedNotice({ record, ...rest }: UnsentProps & { record: Rejected }) {
  const { id, values, refusal } = record;
  return (
    <>
      <NoticeTitle text={queuedNotice.rejected} />
      <InvalidFields errors={refusal.errors} />
      <UnsentActions
        {...rest}
        record={record}
        first={
          <a href={FORM_PAGE_PATH} onClick={() => drafts.save(values, id)} className="notice-link">
            {queuedNotice.correct}
          </a>
        }
      />
    </>
  );
}

function UnsentActions({
  record: { values, at },
  phone,
  onRemove,
  first,
  children,
}: UnsentProps & { record: Queued | Rejected; first: ReactNode; children?: ReactNode }) {
  return (
    <ActionRow>
      {first}
      <NoticeDetails className="min-w-0 open:basis-full">
        <div className="grid gap-0.5 type-small">
          {children}
          <MessageText text={summarise(values)} />
          <p className="tabular">
            {queuedCopy.number} <span className="inline-block">{temporaryNumber(at)}</span>
          </p>
        </div>
        <ActionRow>
          <a href={smsHref(phone, visitorTextMessage(values))} className="notice-link">
            {queuedNotice.sms}
          </a>
          <RemoveAction onRemove={onRemove} />
        </ActionRow>
      </NoticeDetails>
    </ActionRow>
  );
}

function NoticeTitle({ text }: { text: string }) {
  return <Copy as="p" className="text-balance font-strong" text={text} />;
}

function ActionRow({ children }: { children: ReactNode }) {
  return <div className="-mb-2.5 flex flex-wrap gap-x-5 in-[details]:mb-0">{children}</div>;
}

/** Asks before it deletes a record: a finger easily hits the wrong button. */
function RemoveAction({ onRemove }: { onRemove: () => void }) {
  return (
    <details className="contents">
      <summary className="notice-link list-none">{queuedNotice.remove}</summary>
      <span className="flex flex-wrap items-center gap-x-4 type-small">
        {queuedNotice.removeAsk}
        <button type="button" onClick={onRemove} className="notice-link">
          {queuedNotice.removeYes}
        </button>
      </span>
    </details>
  );
}
