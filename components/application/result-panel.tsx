"use client";

import { useEffect, useLayoutEffect, useRef } from "react";
import { MessageText } from "#components/application/message-text.tsx";
import { ReceiptRow } from "#components/application/receipt-row.tsx";
import type { Submitted } from "#components/application/use-application-form.ts";
import { useCountdown } from "#components/application/use-countdown.ts";
import { temporaryNumber, useRecords } from "#components/notices/use-records.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CheckIcon, MessageIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { applicationText } from "#lib/application/summary.ts";
import { sendsInBackground } from "#lib/browser/background.ts";
import { hideHere, showHere } from "#lib/browser/store.ts";
import { copyMessage, kept, panel, promise, received } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_ID, smsHref } from "#lib/content/links.ts";

/** How long the panel stays when nobody uses it. */
const STAY_MS = { received: 3_000, kept: 5_000 } as const;

/** Takes the form's place after a submission: received by the server, or kept on this device until it is. */
export function ResultPanel({
  id,
  result,
  values,
  phone,
  callback,
  onDone,
}: Submitted & {
  id: string;
  phone: string;
  callback: string | undefined;
  /** `byHand`: the visitor asked for the empty form. */
  onDone: (byHand: boolean) => void;
}) {
  const record = useRecords().find((each) => each.id === id);
  const sent = record?.state === "received" ? record.receipt : undefined;
  const receipt = result.kind === "received" ? result.receipt : sent;
  const copy = receipt ? received : kept;
  const at = record && "at" in record ? record.at : undefined;
  const keptAt = useRef(at);
  keptAt.current ??= at;
  const text = applicationText(values);
  const heading = useRef<HTMLHeadingElement>(null);
  const summaryText = useRef<HTMLParagraphElement>(null);
  const totalMs = STAY_MS[result.kind === "received" ? "received" : "kept"];
  const { watched, stop, stopped, secondsLeft } = useCountdown(totalMs, () => onDone(false));
  const container = watched.ref;

  useEffect(() => {
    showHere(id);
    return () => hideHere(id);
  }, [id]);

  useLayoutEffect(() => {
    // WebKit drops a scroll that comes with a change of the page: measuring lays the page out first.
    container.current?.getBoundingClientRect();
    container.current?.scrollIntoView({ block: "start", behavior: "instant" });
    heading.current?.focus({ preventScroll: true });
  }, [container]);

  const why = result.kind === "kept" ? result.reason : undefined;
  const sentence = receipt
    ? fill(received.text, { phone: formatPhone(values.phone) })
    : fill(kept.text, {
        cause: kept.cause[why ?? "unknown"],
        promise: sendsInBackground() ? promise.background : promise.visit,
      });
  const number = receipt
    ? formatApplicationId(receipt.applicationId)
    : temporaryNumber(keptAt.current ?? 0);
  const time = receipt ? Date.parse(receipt.submittedAt) : (keptAt.current ?? 0);
  const Sign = receipt ? CheckIcon : WifiOffIcon;
  const sign = receipt ? "bg-sign-700 text-white" : "bg-lane-500 text-asphalt-900";

  const actions = (
    <div
      key="actions"
      className="mt-6 flex flex-col gap-2.5 sm:flex-row sm:flex-wrap sm:items-center"
    >
      <ButtonLink
        href={smsHref(phone, text)}
        variant={receipt ? "outline" : "primary"}
        icon={MessageIcon}
      >
        {copy.sms}
      </ButtonLink>
      <CopyButton text={text} shown={summaryText} copy={copyMessage} />
    </div>
  );
  const rows = (
    <dl key="rows" className="mt-6 border-asphalt-900 border-t-2">
      <ReceiptRow label={copy.number} value={number} />
      <ReceiptRow label={copy.time} value={seoulDateTime(time)} />
    </dl>
  );
  const box = (
    <div key="box" className="mt-6 rounded-l bg-asphalt-100 px-5 py-4">
      <p className="font-strong text-small text-asphalt-600">{copy.summary}</p>
      <p ref={summaryText} className="mt-1 font-strong text-asphalt-900 tabular wrap-anywhere">
        <MessageText text={text} />
      </p>
    </div>
  );

  return (
    <div {...watched}>
      <span
        aria-hidden
        className={`[@media(max-height:30rem)]:hidden grid size-14 place-items-center rounded-full ${sign}`}
      >
        <Sign className="size-7" />
      </span>
      <div aria-live="polite">
        <h2
          ref={heading}
          // Every link to the form leads here while the panel stands in its place.
          id={FORM_ID}
          tabIndex={-1}
          className="type-form mt-4 text-asphalt-900 outline-none md:text-[2rem]"
        >
          <Copy text={copy.title} />
        </h2>
        <p className="mt-2 text-asphalt-600 type-body">
          <Copy text={sentence} />
          {receipt && callback && <span className="block">{callback}</span>}
        </p>
      </div>
      <Countdown
        seconds={totalMs / 1_000}
        secondsLeft={secondsLeft}
        stopped={stopped}
        onPress={() => (stopped ? onDone(true) : stop())}
      />
      {/* What waits first asks for the text message, what was received first tells its number. */}
      {result.kind === "kept" ? [actions, box, rows] : [rows, box, actions]}
    </div>
  );
}

/** The seconds until the empty form comes back, as dashes and as a sentence, and the way to stop it. */
function Countdown({
  seconds,
  secondsLeft,
  stopped,
  onPress,
}: {
  seconds: number;
  secondsLeft: number;
  stopped: boolean;
  onPress: () => void;
}) {
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6">
      {!stopped && (
        <p className="flex flex-wrap items-center gap-3 text-asphalt-600 type-small">
          <span aria-hidden className="flex gap-1">
            {Array.from({ length: seconds }, (_, second) => second).map((second) => (
              <span
                key={second}
                className={`h-1.5 w-4.5 rounded-[1px] ${second < secondsLeft ? "bg-sign-700" : "bg-asphalt-300"}`}
              />
            ))}
          </span>
          <span className="tabular">{fill(panel.count, { n: secondsLeft })}</span>
        </p>
      )}
      <button
        type="button"
        onClick={onPress}
        className="notice-link -mx-1 px-1 text-sign-800 active:text-sign-900"
      >
        {stopped ? panel.fresh : panel.stay}
      </button>
    </div>
  );
}
