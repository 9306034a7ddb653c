"use client";

import {
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { TextMessage } from "#components/application/text-message.tsx";
import { useCountdown } from "#components/application/use-countdown.ts";
import { useFormState } from "#components/application/use-form-submission.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CheckIcon, MessageIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { formatApplicationId, temporaryNumber } from "#lib/application/application-id.ts";
import { formatPhone } from "#lib/application/phone.ts";
import type { Receipt } from "#lib/application/response-body.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { applicationText } from "#lib/application/summary.ts";
import { sendingPromise } from "#lib/browser/background.ts";
import type { FormSubmission } from "#lib/browser/form-submission.ts";
import {
  copyMessage,
  kept,
  panel as panelCopy,
  received,
} from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_ID, smsHref } from "#lib/content/links.ts";

/** Contact details of the business, for the place of a form. */
export interface Place {
  phone: string;
  /** When the owner calls back, in the owner's words. */
  callback: string | undefined;
}

const LOOK = {
  received: { copy: received, Sign: CheckIcon, sign: "bg-sign-700 text-white", sms: "outline" },
  kept: { copy: kept, Sign: WifiOffIcon, sign: "bg-lane-500 text-asphalt-900", sms: "primary" },
} as const;

/** Result of an application, in the panel on /contact and on the page for forms without script. */
export function Result({
  heading: Heading,
  id,
  outcome,
  values,
  phone,
  callback,
  children,
}: Place & {
  heading: "h1" | "h2";
  /** Id of the heading; links and addresses lead to it. */
  id: string;
  /** The server's receipt, or since when this device keeps it. */
  outcome: Receipt | { keptAt: number; sentence: string };
  values: Parameters<typeof applicationText>[0] & { phone?: string };
  /** Further lines below the sentence. */
  children?: ReactNode;
}) {
  const message = useRef<HTMLParagraphElement>(null);
  const text = applicationText(values);
  const isKept = "keptAt" in outcome;
  // A queued application offers the text message before its number.
  const [smsFirst] = useState(isKept);
  const { copy, Sign, sign, sms } = LOOK[isKept ? "kept" : "received"];
  const sentence = isKept
    ? outcome.sentence
    : fill(received.text, { phone: formatPhone(values.phone ?? "") });

  const facts = (
    <dl className="receipt border-asphalt-900 border-t-2">
      {[
        [
          copy.number,
          isKept ? temporaryNumber(outcome.keptAt) : formatApplicationId(outcome.applicationId),
        ],
        [copy.time, seoulDateTime(isKept ? outcome.keptAt : Date.parse(outcome.submittedAt))],
      ].map(([label, value]) => (
        <div key={label} className="flex flex-wrap gap-x-4 border-asphalt-300 border-b py-3.5">
          <dt className="min-w-20 text-asphalt-600 sm:w-40">{label}</dt>
          <dd className="min-w-0 font-strong text-asphalt-900 tabular wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
  const actions = (
    <div className="flex flex-col gap-2.5 noscript:[&_button]:hidden sm:flex-row sm:flex-wrap sm:items-center">
      <ButtonLink href={smsHref(phone, text)} variant={sms} icon={MessageIcon}>
        {copy.sms}
      </ButtonLink>
      <CopyButton text={text} shown={message} copy={copyMessage} />
    </div>
  );
  return (
    <>
      <span
        aria-hidden
        className={`[@media(max-height:30rem)]:hidden grid size-14 place-items-center rounded-full ${sign}`}
      >
        <Sign className="size-7" />
      </span>
      <div aria-live="polite">
        <Heading
          id={id}
          // Links move the focus here. It has no ring, because there is nothing to press.
          tabIndex={-1}
          className="type-form mt-4 scroll-mt-28 text-asphalt-900 outline-none md:text-[2rem]"
        >
          <Copy text={copy.title} />
        </Heading>
        <p className="mt-2 text-asphalt-600 type-body">
          <Copy text={sentence} />
          {!isKept && callback && <span className="block">{callback}</span>}
        </p>
      </div>
      {children}
      <div className="mt-6 flex flex-col gap-6">
        {smsFirst ? actions : facts}
        <div className="rounded-l bg-asphalt-100 px-5 py-4">
          <p className="font-strong text-asphalt-600 text-small">{copy.summary}</p>
          <TextMessage ref={message} text={text} className="mt-1 font-strong text-asphalt-900" />
        </div>
        {smsFirst ? facts : actions}
      </div>
    </>
  );
}

/** Seconds that an unused panel stays, by the result of the submission. */
const STAY_SECONDS = { received: 3, kept: 5 } as const;

/** The panel that replaces the form after a submission. A queued application may be received while it is shown. */
export function ResultPanel({
  submission,
  onDone,
  ...place
}: Place & { submission: FormSubmission; onDone: (byHand: boolean, hadFocus: boolean) => void }) {
  const { status, receipt, submitted, queuedAt, reason } = useFormState(submission);
  const [seconds] = useState(STAY_SECONDS[receipt ? "received" : "kept"]);
  const { panel, stop, stopped, secondsLeft } = useCountdown(seconds, () => end(false));
  const end = (byHand: boolean) =>
    onDone(byHand, panel.current?.contains(document.activeElement) === true);

  useLayoutEffect(() => {
    // WebKit drops a scroll during a change of the page. Measuring forces the layout first.
    panel.current?.getBoundingClientRect();
    panel.current?.scrollIntoView({ block: "start", behavior: "instant" });
    panel.current?.querySelector("h2")?.focus({ preventScroll: true });
  }, [panel]);

  // A notice shows the rejection; a deletion happened in another tab.
  const isOver = status !== "queued" && status !== "received";
  const endOnce = useEffectEvent(() => end(false));
  useEffect(() => {
    if (isOver) endOnce();
  }, [isOver]);

  const sentence = fill(kept.text, {
    cause: kept.cause[reason ?? "unknown"],
    promise: sendingPromise(),
  });
  return (
    <div ref={panel}>
      {/* Links to the form lead to this heading while the panel replaces the form. */}
      <Result
        {...place}
        heading="h2"
        id={FORM_ID}
        outcome={receipt ?? { keptAt: queuedAt, sentence }}
        values={submitted}
      >
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6">
          {!stopped && (
            <p className="flex flex-wrap items-center gap-3 text-asphalt-600 type-small">
              <span aria-hidden className="flex gap-1">
                {[...Array(seconds).keys()].map((second) => (
                  <span
                    key={second}
                    className={`h-1.5 w-4.5 rounded-[1px] ${second < secondsLeft ? "bg-sign-700" : "bg-asphalt-300"}`}
                  />
                ))}
              </span>
              <span className="tabular">{fill(panelCopy.count, { n: secondsLeft })}</span>
            </p>
          )}
          <button
            type="button"
            onClick={() => (stopped ? end(true) : stop())}
            className="notice-link -mx-1 px-1 text-sign-800 active:text-sign-900"
          >
            {stopped ? panelCopy.fresh : panelCopy.stay}
          </button>
        </div>
      </Result>
    </div>
  );
}
