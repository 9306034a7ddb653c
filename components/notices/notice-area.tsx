"use client";

import { usePathname } from "next/navigation";
import { useCallback, useState } from "react";
import type { BusinessContact } from "#components/application/result.tsx";
import type * as Code from "#components/notices/notices.tsx";
import { useWhenIdle } from "#components/ui/use-when-idle.ts";
import { FORM_PAGE_PATH } from "#lib/content/links.ts";

/** The notices at the top of every page except /contact, which shows notices above the form. */
export function NoticeArea(contact: BusinessContact) {
  const path = usePathname();
  const Notices = useNoticesComponent();
  return (
    <div ref={keepScrollSteady} className="notices page-width has-[p]:py-4">
      {Notices && path !== FORM_PAGE_PATH && (
        <Notices {...contact} only={path === "/" ? "announced" : undefined} />
      )}
    </div>
  );
}

export function useNoticesComponent(): typeof Code.Notices | undefined {
  const [Notices, setNotices] = useState<typeof Code.Notices>();
  const load = useCallback(async () => {
    const code = await import("#components/notices/notices.tsx");
    setNotices(() => code.Notices);
  }, []);
  useWhenIdle(load);
  return Notices;
}

/**
 * Keeps the text that a visitor reads in place while a container above it grows, in browsers without scroll anchoring.
 * Margins must not reach out of the container, because its height does not include them.
 */
export function keepScrollSteady(container: HTMLElement | null): (() => void) | undefined {
  if (!container || CSS.supports("overflow-anchor", "auto")) return undefined;
  let height = container.offsetHeight;
  const observer = new ResizeObserver(() => {
    const growth = container.offsetHeight - height;
    height += growth;
    if (container.getBoundingClientRect().top < 0) scrollBy(0, growth);
  });
  observer.observe(container);
  return () => observer.disconnect();
}
