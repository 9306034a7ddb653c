"use client";

import { usePathname } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import type { SiteNotices } from "#components/notices/site-notices.tsx";
import { steadyScroll } from "#components/notices/steady-scroll.ts";
import { useWhenIdle } from "#lib/browser/when-idle.ts";
import { FORM_PAGE } from "#lib/content/links.ts";

/** The place of the notices on every page; their code comes when the page is there and the browser idle. */
export function NoticesSlot({ phone }: { phone: string }) {
  const [Notices, setNotices] = useState<typeof SiteNotices>();
  const atForm = usePathname() === FORM_PAGE;

  const load = useCallback(async () => {
    if (atForm) return;
    const loaded = await import("#components/notices/site-notices.tsx");
    setNotices(() => loaded.SiteNotices);
  }, [atForm]);
  useWhenIdle(load);

  // Without a network the code could not come; what is kept here waits for the network anyway.
  useEffect(() => {
    const again = () => void load().catch(() => undefined);
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [load]);

  return (
    <div
      ref={steadyScroll}
      role="status"
      className="page-width grid gap-3 not-empty:pt-4 not-empty:pb-4 print:hidden"
    >
      {Notices && !atForm && <Notices phone={phone} />}
    </div>
  );
}
