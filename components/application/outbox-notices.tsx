"use client";

import { useEffect } from "react";
import { EndingNotice } from "#components/application/ending-notice.tsx";
import { KeptNotice } from "#components/application/kept-notice.tsx";
import { useOutbox } from "#components/application/use-outbox.ts";
import { forgetOldDrafts } from "#lib/browser/draft.ts";
import { startDrain } from "#lib/browser/drain.ts";

/**
 * What waits on this device, what was sent of it, and what the server would not take; but for what the
 * page's own form tells of (form-notice.tsx). It also starts the drain. Where nothing was ever kept it asks the browser for the names of its databases and is done.
 */
export function OutboxNotices({ phone }: { phone: string }) {
  const { sending, atForm, refused, ...outbox } = useOutbox();
  const waiting = outbox.waiting.filter((entry) => entry.idempotencyKey !== atForm);
  const endings = outbox.endings.filter((ending) => ending.idempotencyKey !== atForm);
  useEffect(() => {
    forgetOldDrafts();
    return startDrain();
  }, []);
  const silent = waiting.length + refused.length + endings.length === 0;
  return (
    <div className={silent ? "" : "page-width pt-1 pb-4 print:hidden"}>
      <div role="status" className="grid gap-3 not-empty:pt-3">
        {endings.map((ending) => (
          <EndingNotice key={ending.idempotencyKey} ending={ending} />
        ))}
        {waiting.map((entry) => (
          <KeptNotice key={entry.idempotencyKey} entry={entry} phone={phone} sending={sending} />
        ))}
      </div>
      <div role="alert" className="grid gap-3 not-empty:pt-3">
        {refused.map((entry) => (
          <KeptNotice key={entry.idempotencyKey} entry={entry} phone={phone} sending={false} />
        ))}
      </div>
    </div>
  );
}
