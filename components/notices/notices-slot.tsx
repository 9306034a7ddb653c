"use client";

import { usePathname } from "next/navigation";
import { useCallback, useEffect, useState } from "react";
import type { SiteNotices } from "#components/notices/notices.tsx";
import { steadyScroll } from "#components/notices/steady-scroll.ts";
import { useWhenIdle } from "#lib/browser/when-idle.ts";
import { FORM_PAGE } from "#lib/content/links.ts";

/** The place of the notices on every page; their code comes when the page is there and the browser idle. */
export function NoticesSlot({ phone, callback }: { phone: string; callback?: string | undefined }) {
  const [Notices, setNotices] = useState<typeof SiteNotices>();
  const atForm = usePathname() === FORM_PAGE;

  const load = useCallback(async () => {
    if (atForm) return;
    const loaded = await import("#components/notices/notices.tsx");
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
    <div ref={steadyScroll} className="notices page-width has-[p]:py-4 print:hidden">
      {Notices && !atForm && <Notices phone={phone} callback={callback} />}
    </div>
  );
}
