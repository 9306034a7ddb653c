"use client";

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Place } from "#components/application/application-form.tsx";
import { Result, toldOf } from "#components/application/result.tsx";
import type { Submitted } from "#components/application/use-application-form.ts";
import { useCountdown } from "#components/application/use-countdown.ts";
import { temporaryNumber, useRecords } from "#components/notices/use-records.ts";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { applicationText } from "#lib/application/summary.ts";
import { sendsInBackground } from "#lib/browser/background.ts";
import { hideHere, showHere } from "#lib/browser/store.ts";
import { copyMessage, kept, panel, promise } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_ID } from "#lib/content/links.ts";

/** How long the panel stays when nobody uses it, by what the press came to. */
const STAY_SECONDS = { received: 3, kept: 5 } as const;

/** Takes the form's place after a submission. What was kept may be received meanwhile. */
export function ResultPanel({
  id,
  result,
  values,
  phone,
  callback,
  onDone,
}: Submitted & Pick<Place, "phone" | "callback"> & { id: string; onDone: () => void }) {
  const record = useRecords().find((each) => each.id === id);
  const sent = record?.state === "received" ? record.receipt : undefined;
  const receipt = result.kind === "received" ? result.receipt : sent;
  const [keptAt] = useState(record && "at" in record ? record.at : 0);
  const text = applicationText(values);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<HTMLParagraphElement>(null);
  const seconds = STAY_SECONDS[result.kind === "received" ? "received" : "kept"];
  const countdown = useCountdown(1_000 * seconds, onDone);
  const { watched, stopped, secondsLeft } = countdown;
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

  const told = receipt
    ? toldOf(receipt, values, callback)
    : {
        kind: "kept" as const,
        sentence: (
          <Copy
            text={fill(kept.text, {
              cause: kept.cause[("reason" in result && result.reason) || "unknown"],
              promise: sendsInBackground() ? promise.background : promise.visit,
            })}
          />
        ),
        number: temporaryNumber(keptAt),
        at: keptAt,
      };

  return (
    <div {...watched}>
      <Result
        {...told}
        heading="h2"
        // Every link to the form leads here while the panel stands in its place.
        id={FORM_ID}
        headingRef={heading}
        text={text}
        textRef={shown}
        phone={phone}
        copyButton={<CopyButton text={text} shown={shown} copy={copyMessage} />}
        smsFirst={result.kind === "kept"}
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
              <span className="tabular">{fill(panel.count, { n: secondsLeft })}</span>
            </p>
          )}
          <button
            type="button"
            onClick={() => (stopped ? onDone() : countdown.stop())}
            className="notice-link -mx-1 px-1 text-sign-800 active:text-sign-900"
          >
            {stopped ? panel.fresh : panel.stay}
          </button>
        </div>
      </Result>
    </div>
  );
}
