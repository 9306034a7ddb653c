"use client";

import { useEffect, useLayoutEffect, useState } from "react";
import { type Place, Result } from "#components/application/result.tsx";
import type { Submitted } from "#components/application/use-application-form.ts";
import { useCountdown } from "#components/application/use-countdown.ts";
import { useRecords } from "#components/notices/use-records.ts";
import { whatFollows } from "#lib/browser/background.ts";
import { showHere } from "#lib/browser/store.ts";
import { panel as copy, kept } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_ID } from "#lib/content/links.ts";

/** How long the panel stays when nobody uses it, by what the press came to. */
const STAY_SECONDS = { received: 3, kept: 5 } as const;

/** Takes the form's place after a submission. What was kept may be received meanwhile. */
export function ResultPanel({
  id,
  result,
  values,
  onDone,
  ...place
}: Submitted & Place & { id: string; onDone: (byHand: boolean, hadFocus: boolean) => void }) {
  const record = useRecords().find((each) => each.id === id);
  const sent = record?.state === "received" ? record.receipt : undefined;
  const receipt = result.kind === "received" ? result.receipt : sent;
  const [keptAt] = useState(record && "at" in record ? record.at : 0);
  const seconds = STAY_SECONDS[result.kind === "received" ? "received" : "kept"];
  const { panel, stop, stopped, secondsLeft } = useCountdown(seconds, () => end(false));
  const end = (byHand: boolean) =>
    onDone(byHand, panel.current?.contains(document.activeElement) === true);

  useEffect(() => showHere(id), [id]);

  useLayoutEffect(() => {
    // WebKit drops a scroll that comes with a change of the page: measuring lays the page out first.
    panel.current?.getBoundingClientRect();
    panel.current?.scrollIntoView({ block: "start", behavior: "instant" });
    panel.current?.querySelector("h2")?.focus({ preventScroll: true });
  }, [panel]);

  const sentence = fill(kept.text, {
    cause: kept.cause[("reason" in result && result.reason) || "unknown"],
    promise: whatFollows(),
  });
  return (
    <div ref={panel}>
      {/* Every link to the form leads to its heading while the panel stands in its place. */}
      <Result
        {...place}
        heading="h2"
        id={FORM_ID}
        outcome={receipt ?? { keptAt, sentence }}
        values={values}
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
              <span className="tabular">{fill(copy.count, { n: secondsLeft })}</span>
            </p>
          )}
          <button
            type="button"
            onClick={() => (stopped ? end(true) : stop())}
            className="notice-link -mx-1 px-1 text-sign-800 active:text-sign-900"
          >
            {stopped ? copy.fresh : copy.stay}
          </button>
        </div>
      </Result>
    </div>
  );
}
