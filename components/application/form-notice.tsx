"use client";

import { EndingNotice } from "#components/application/ending-notice.tsx";
import { KeptNotice } from "#components/application/kept-notice.tsx";
import { useOutbox } from "#components/application/use-outbox.ts";

/**
 * The application of this page's form, while it waits and when it was sent later: above the empty form
 * instead of at the top of the page, so that it is said once. What changes here is announced; what it says
 * at first is not, because the panel before it has said so.
 */
export function FormNotice({
  idempotencyKey,
  number,
  phone,
  moveFocus,
}: {
  idempotencyKey: string;
  number: string;
  phone: string;
  moveFocus: () => void;
}) {
  const { waiting, endings, sending } = useOutbox();
  const entry = waiting.find((one) => one.idempotencyKey === idempotencyKey);
  const ending = endings.find((one) => one.idempotencyKey === idempotencyKey);
  return (
    <div role="status" className="not-empty:mb-7">
      {entry && <KeptNotice {...{ entry, phone, sending, number, moveFocus }} />}
      {ending && <EndingNotice ending={ending} moveFocus={moveFocus} />}
    </div>
  );
}
