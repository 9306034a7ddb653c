"use client";

import { EndingNotice } from "#components/notices/ending-notice.tsx";
import { KeptNotice } from "#components/notices/kept-notice.tsx";
import { useOutbox } from "#components/notices/use-outbox.ts";

/**
 * What waits on this device, what was sent of it, and what the server would not take: above the form on
 * /contact, at the top of every other page. It stands in a live region, which says what changes.
 */
export function OutboxNotices({
  phone,
  moveFocus,
}: {
  phone: string;
  /** A notice is about to go. */
  moveFocus: () => void;
}) {
  const { waiting, refused, endings, sending, notSent } = useOutbox();
  const common = { phone, sending, notSent, moveFocus };
  return (
    <>
      {endings.map((ending) => (
        <EndingNotice key={ending.idempotencyKey} ending={ending} moveFocus={moveFocus} />
      ))}
      {waiting.map((entry) => (
        <KeptNotice key={entry.idempotencyKey} entry={entry} {...common} />
      ))}
      {refused.length > 0 && (
        <div role="alert" className="grid gap-3">
          {refused.map((entry) => (
            <KeptNotice key={entry.idempotencyKey} entry={entry} {...common} />
          ))}
        </div>
      )}
    </>
  );
}
