"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import type { BusinessContact } from "#components/application/result.tsx";
import { KeptBox } from "#components/notice-boxes/kept-box.tsx";
import {
  NoticeBox,
  NoticeBoxDetails,
  NoticeBoxTitle,
} from "#components/notice-boxes/notice-box.tsx";
import { CloseButton } from "#components/ui/close-button.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { type Entry, isKept, type ReceiptEntry } from "#lib/browser/entry.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { startSending } from "#lib/browser/start-sending.ts";
import { receiptTexts } from "#lib/content/application-result.ts";
import { FORM_ID } from "#lib/content/links.ts";

startSending();

/**
 * Shows what this device stores, except what the page's own form shows. It announces kept applications, and the receipt
 * of one that was announced. Any other receipt appears silently: as a rule, a form has announced that receipt.
 *
 * The notice boxes appear after the first rendering, because a live region announces only additions. With `atOnce` they
 * are part of the first rendering, and are not announced.
 */
export function NoticeBoxes({
  atOnce = false,
  only,
  ...contact
}: BusinessContact & {
  atOnce?: boolean;
  /** The home page has two places. `announced`: at its top. `silent`, which is not announced: below its button. */
  only?: "silent" | "announced" | undefined;
}) {
  const [isMounted, setMounted] = useState(atOnce);
  useEffect(() => setMounted(true), []);
  const entries = useSyncExternalStore(outbox.subscribe, outbox.listUnshown, () => NONE);
  const shown = isMounted ? entries : NONE;
  for (const { id } of shown.filter(isKept)) announced.add(id);
  const list = (isAnnounced: boolean) =>
    shown
      .filter(({ id }) => announced.has(id) === isAnnounced)
      .map((entry) => (
        <EntryBox key={`${entry.id} ${stateOf(entry)}`} entry={entry} {...contact} />
      ));
  return (
    <>
      {only !== "announced" && <div className="grid grid-cols-1 gap-3">{list(false)}</div>}
      {only !== "silent" && (
        // Not atomic: a button inside would otherwise make a screen reader read the whole box again.
        <div role="status" aria-atomic={false} className="grid grid-cols-1 gap-3">
          {list(true)}
        </div>
      )}
    </>
  );
}

const NONE: readonly Entry[] = [];

/** Applications that this page has shown as kept. A receipt replaces the notice box of its application. */
const announced = new Set<string>();

/** Part of React's key: a new state makes a new notice box, which a screen reader reads as a whole. */
function stateOf(entry: Entry): string {
  if (!isKept(entry)) return "received";
  return entry.refusal ? "refused" : "kept";
}

function EntryBox({ entry, phone, callbackPromise }: BusinessContact & { entry: Entry }) {
  const remove = () => {
    // The focus moves on, because the notice box is about to disappear.
    const next = document.getElementById(FORM_ID) ?? document.getElementById("content");
    next?.focus({ preventScroll: true });
    void outbox.remove(entry.id);
  };
  return isKept(entry) ? (
    <KeptBox kept={entry} phone={phone} onRemove={remove} />
  ) : (
    <ReceiptBox received={entry} callbackPromise={callbackPromise} onClose={remove} />
  );
}

function ReceiptBox({
  received: { receipt },
  callbackPromise,
  onClose,
}: {
  received: ReceiptEntry;
  callbackPromise: string | undefined;
  onClose: () => void;
}) {
  return (
    <NoticeBox state="received" aria-label={receiptTexts.title}>
      <div className="leading-normal">
        <div className="flex">
          <div className="min-w-0 flex-1">
            <NoticeBoxTitle text={receiptTexts.title} />
          </div>
          <CloseButton onClick={onClose} className="-my-2 -mr-2 ml-5 hover:bg-white sm:-mr-3" />
        </div>
        <p className="tabular type-small">
          {receiptTexts.number}{" "}
          <strong className="inline-block">{formatApplicationId(receipt.applicationId)}</strong>
        </p>
        <NoticeBoxDetails className="type-small">
          <p className="tabular">{koreanDateTime(Date.parse(receipt.submittedAt))}</p>
          {callbackPromise && <p>{callbackPromise}</p>}
        </NoticeBoxDetails>
      </div>
    </NoticeBox>
  );
}
