"use client";

import { CloseButton } from "#components/ui/close-button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CheckIcon, InfoIcon } from "#components/ui/icons.tsx";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { forgetEnding } from "#lib/browser/outbox.ts";
import { type Ending, KEEP_DAYS } from "#lib/browser/outbox-entry.ts";
import { refresh } from "#lib/browser/outbox-state.ts";
import { receipt, waiting } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";

/** How a kept application ended: sent, with its real number, or deleted because its time was over. */
export function EndingNotice({
  ending,
  moveFocus,
}: {
  ending: Ending;
  /** The notice is about to go. */
  moveFocus: () => void;
}) {
  const Icon = ending.kind === "sent" ? CheckIcon : InfoIcon;
  return (
    <div className="on-dark flex items-start gap-3 rounded-l bg-asphalt-900 py-2 pr-2 pl-4 text-white sm:pl-5">
      <Icon className="mt-2.5 size-5 text-lane-500" />
      <p className="min-w-0 flex-1 py-2 font-strong text-base leading-normal">
        {ending.kind === "sent" ? (
          <>
            {waiting.sent}{" "}
            <span className="inline-block tabular">
              {receipt.number}{" "}
              <span className="whitespace-nowrap">
                {formatApplicationId(ending.receipt.applicationId)}
              </span>
            </span>
          </>
        ) : (
          <Copy text={fill(waiting.expired, { days: KEEP_DAYS })} />
        )}
      </p>
      <CloseButton
        onClick={() => {
          moveFocus();
          void forgetEnding(ending.idempotencyKey).then(refresh);
        }}
        className="hover:bg-asphalt-700"
      />
    </div>
  );
}
