"use client";

import { useEffect, useState } from "react";
import type { OutboxNotices } from "#components/application/outbox-notices.tsx";
import { whenIdle } from "#lib/browser/when-idle.ts";

/** The outbox on every page: its code comes when the page is there and the browser idle. */
export function WaitingNotice({ phone }: { phone: string }) {
  const [Notices, setNotices] = useState<typeof OutboxNotices>();

  useEffect(() => {
    const left = new AbortController();
    const load = async () => {
      try {
        const loaded = await import("#components/application/outbox-notices.tsx");
        setNotices(() => loaded.OutboxNotices);
      } catch {
        // The network has gone since the page came; what is kept here waits for it anyway.
        addEventListener("online", load, { once: true, signal: left.signal });
      }
    };
    const forget = whenIdle(load);
    return () => {
      forget();
      left.abort();
    };
  }, []);

  return Notices && <Notices phone={phone} />;
}
