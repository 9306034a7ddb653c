"use client";

import { OutboxNotices } from "#components/notices/outbox-notices.tsx";
import { useResending } from "#components/notices/use-outbox.ts";

/** The notices at the top of a page, and what sends the outbox from there. */
export function SiteNotices({ phone }: { phone: string }) {
  useResending();
  return <OutboxNotices phone={phone} moveFocus={focusContent} />;
}

/** The notice is about to go: the focus moves on to what follows it, not out of the page. */
function focusContent(): void {
  document.getElementById("content")?.focus({ preventScroll: true });
}
