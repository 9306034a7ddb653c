"use client";

import { panel } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";

/** The seconds until the empty form comes back, as dashes and as a sentence, and the way to stop it. */
export function CountdownRow({
  seconds,
  secondsLeft,
  stopped,
  onStay,
  onFresh,
}: {
  seconds: number;
  secondsLeft: number;
  stopped: boolean;
  onStay: () => void;
  onFresh: () => void;
}) {
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-x-6">
      {!stopped && (
        <p className="flex flex-wrap items-center gap-3 text-asphalt-600 type-small">
          <span aria-hidden className="flex gap-1">
            {Array.from({ length: seconds }, (_, index) => index).map((second) => (
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
        onClick={stopped ? onFresh : onStay}
        className="notice-link -mx-1 px-1 text-sign-800 active:text-sign-900"
      >
        {stopped ? panel.fresh : panel.stay}
      </button>
    </div>
  );
}
