"use client";

import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { ApplicationResult, type BusinessContact } from "#components/application/result.tsx";
import { useCountdown } from "#components/application/use-countdown.ts";
import { useFormState } from "#components/application/use-form-submission.ts";
import type { FormSubmission } from "#lib/browser/form-submission.ts";
import { panelCopy, queuedCopy } from "#lib/content/application-result.ts";
import { fillPlaceholders } from "#lib/content/copy.ts";
import { FORM_ID } from "#lib/content/links.ts";

/** Seconds after which an unused panel closes. */
const STAY_SECONDS = { received: 3, queued: 5 } as const;

export function ResultPanel({
  submission,
  onDone,
  ...details
}: BusinessContact & {
  submission: FormSubmission;
  onDone: (byHand: boolean, hadFocus: boolean) => void;
}) {
  const { status, receipt, submitted, queuedAt, reason, whenSent } = useFormState(submission);
  const [wasQueued] = useState(!receipt);
  const seconds = STAY_SECONDS[wasQueued ? "queued" : "received"];
  const { panel, stop, stopped, secondsLeft } = useCountdown(seconds, () => finish(false));
  const finish = (byHand: boolean) =>
    onDone(byHand, panel.current?.contains(document.activeElement) === true);

  useLayoutEffect(() => {
    // WebKit forgets a scroll while the page changes. Measuring forces the layout first.
    panel.current?.getBoundingClientRect();
    panel.current?.scrollIntoView({ block: "start", behavior: "instant" });
    panel.current?.querySelector("h2")?.focus({ preventScroll: true });
  }, [panel]);

  // The application was rejected, which a notice reports, or deleted in another tab.
  const isOver = status !== "queued" && status !== "received";
  const finishOnce = useEffectEvent(() => finish(false));
  useEffect(() => {
    if (isOver) finishOnce();
  }, [isOver]);

  const sentence = fillPlaceholders(queuedCopy.text, {
    cause: queuedCopy.cause[reason ?? "unknown"],
    whenSent,
  });
  return (
    <div ref={panel}>
      {/* The heading has the id of the form, so that links to the form lead to the panel. */}
      <ApplicationResult
        {...details}
        heading="h2"
        id={FORM_ID}
        outcome={receipt ?? { keptAt: queuedAt, sentence }}
        actionsFirst={wasQueued}
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
              <span className="tabular">
                {fillPlaceholders(panelCopy.count, { n: secondsLeft })}
              </span>
            </p>
          )}
          <button
            type="button"
            onClick={() => (stopped ? finish(true) : stop())}
            className="notice-link -mx-1 px-1 text-sign-800 active:text-sign-900"
          >
            {stopped ? panelCopy.fresh : panelCopy.stay}
          </button>
        </div>
      </ApplicationResult>
    </div>
  );
}
