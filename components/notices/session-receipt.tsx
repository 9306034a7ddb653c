"use client";

import { useSyncExternalStore } from "react";
import { CloseButton } from "#components/ui/close-button.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { lastReceipt, saveReceipt, subscribeToReceipt } from "#lib/browser/receipt.ts";
import { receipt } from "#lib/content/application-result.ts";

/** The last receipt of this browser session, until the visitor dismisses it. */
export function SessionReceipt({
  className = "",
  moveFocus,
}: {
  className?: string;
  /** The receipt is about to go. */
  moveFocus: () => void;
}) {
  const last = useSyncExternalStore(subscribeToReceipt, lastReceipt, () => undefined);
  if (!last) return null;
  return (
    <section
      aria-label={receipt.title}
      className={`flex items-start gap-3 rounded-l border border-sign-700 bg-sign-100 py-2 pr-2 pl-4 text-asphalt-900 sm:pl-5 ${className}`}
    >
      <CheckIcon className="mt-2.5 size-5 text-sign-700" />
      <div className="min-w-0 flex-1 py-2 leading-normal">
        <p className="font-bold text-base">{receipt.title}</p>
        <p className="tabular type-small">
          {receipt.number}{" "}
          <strong className="inline-block">{formatApplicationId(last.applicationId)}</strong>
        </p>
        <p className="-mr-11 tabular type-small">{seoulDateTime(Date.parse(last.submittedAt))}</p>
      </div>
      <CloseButton
        onClick={() => {
          moveFocus();
          saveReceipt(undefined);
        }}
        className="hover:bg-white"
      />
    </section>
  );
}
