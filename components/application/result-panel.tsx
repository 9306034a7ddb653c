"use client";

import { type ReactNode, useLayoutEffect, useState } from "react";
import { ApplicationResult, type BusinessContact } from "#components/application/result.tsx";
import { useAutoClose } from "#components/application/use-auto-close.ts";
import type { Failure } from "#lib/browser/entry.ts";
import type { SubmissionState } from "#lib/browser/form-submission.ts";
import { keptApplicationTexts, panelCountdownTexts } from "#lib/content/application-result.ts";
import { FORM_ID } from "#lib/content/links.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

/** Seconds after which an unused panel closes. */
const STAY_SECONDS = { received: 3, kept: 5 } as const;

export function ResultPanel({
  state,
  onDone,
  onEdit,
  nextSteps,
  ...contact
}: BusinessContact & {
  nextSteps: ReactNode;
  state: Extract<SubmissionState, { status: "kept" | "received" }>;
  onDone: (end: { by: "visitor" | "time"; hadFocus: boolean }) => void;
  onEdit: () => void;
}) {
  const [firstStatus] = useState(state.status);
  const seconds = STAY_SECONDS[firstStatus];
  const { box: panel, stop, isStopped, secondsLeft } = useAutoClose(seconds, () => finish("time"));
  const finish = (by: "visitor" | "time") =>
    onDone({ by, hadFocus: panel.current?.contains(document.activeElement) === true });

  useLayoutEffect(() => {
    // Measures in order to force the new layout, because WebKit forgets a scroll before the layout.
    panel.current?.getBoundingClientRect();
    panel.current?.closest("section")?.scrollIntoView({ block: "start", behavior: "instant" });
    panel.current?.querySelector("h2")?.focus({ preventScroll: true });
  }, [panel]);

  return (
    <div ref={panel}>
      {/* The heading has the id of the form, so that links to the form lead to the panel. */}
      <ApplicationResult
        {...contact}
        heading="h2"
        id={FORM_ID}
        outcome={
          state.status === "received"
            ? state.receipt
            : { keptAt: state.application.at, sentence: describeKept(state.failure) }
        }
        onEdit={onEdit}
        values={state.application.values}
      >
        <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6">
          {!isStopped && (
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
                {fillPlaceholders(panelCountdownTexts.count, { n: secondsLeft })}
              </span>
            </p>
          )}
          <button
            type="button"
            onClick={() => (isStopped ? finish("visitor") : stop())}
            className="action-link -mx-1 px-1 text-sign-800 active:text-sign-900"
          >
            {isStopped ? panelCountdownTexts.fresh : panelCountdownTexts.stay}
          </button>
        </div>
      </ApplicationResult>
      {state.status === "received" && nextSteps}
    </div>
  );
}

function describeKept(failure: Failure): string {
  const reason = failure.kind === "later" ? failure.reason : undefined;
  const cause = keptApplicationTexts.cause[reason ?? "unknown"];
  return fillPlaceholders(keptApplicationTexts.text, { cause });
}
