"use client";

import { useEffect } from "react";
import { useCountdown } from "#components/application/use-countdown.ts";
import { CloseButton } from "#components/ui/close-button.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import { hideHere, showHere } from "#lib/browser/store.ts";
import { success } from "#lib/content/dialog-result.ts";

const STAY_MS = 10_000;

/** The dialog's application was received: its number, until it is closed or ten seconds have passed. */
export function Toast({
  id,
  number,
  callback,
  onClose,
}: {
  id: string;
  number: string;
  callback: string | undefined;
  onClose: () => void;
}) {
  const { watched } = useCountdown(STAY_MS, onClose);

  // The receipt of the page takes its place when it goes.
  useEffect(() => {
    showHere(id);
    return () => hideHere(id);
  }, [id]);

  return (
    <div
      {...watched}
      className="on-dark pointer-events-auto flex max-w-xl items-start gap-3 rounded-m bg-asphalt-900 py-2 pr-2 pl-5 text-white fade-in"
    >
      <CheckIcon className="mt-2.5 size-5 text-lane-500" />
      <p className="min-w-0 py-2 font-strong leading-normal">
        {success.toast}{" "}
        <span className="inline-block tabular">
          {success.number} {number}
        </span>
        {callback && <span className="block font-normal">{callback}</span>}
      </p>
      <CloseButton onClick={onClose} className="hover:bg-asphalt-700" />
    </div>
  );
}
