"use client";

import { focusContent } from "#components/application/focus-content.ts";
import { OutboxNotices } from "#components/application/outbox-notices.tsx";
import { useResending } from "#components/application/use-resending.ts";

/** The notices at the top of a page, and what sends the outbox from there. */
export function SiteNotices({ phone }: { phone: string }) {
  useResending();
  return <OutboxNotices phone={phone} moveFocus={focusContent} />;
}
