"use client";

import { usePathname } from "next/navigation";
import { useCallback, useState } from "react";
import type { BusinessContact } from "#components/application/result.tsx";
import type * as Code from "#components/notice-boxes/notice-boxes.tsx";
import { useWhenIdle } from "#components/ui/use-when-idle.ts";
import { FORM_PAGE_PATH } from "#lib/content/links.ts";

/** The notice boxes at the top of every page except /contact, which shows them above the form. */
export function NoticeBoxArea(contact: BusinessContact) {
  const path = usePathname();
  const NoticeBoxes = useNoticeBoxesComponent();
  return (
    <div ref={keepScrollSteady} className="notice-boxes page-width has-[p]:py-4">
      {NoticeBoxes && path !== FORM_PAGE_PATH && (
        <NoticeBoxes {...contact} only={path === "/" ? "announced" : undefined} />
      )}
    </div>
  );
}

export function useNoticeBoxesComponent(): typeof Code.NoticeBoxes | undefined {
  const [NoticeBoxes, setNoticeBoxes] = useState<typeof Code.NoticeBoxes>();
  const load = useCallback(async () => {
    const code = await import("#components/notice-boxes/notice-boxes.tsx");
    setNoticeBoxes(() => code.NoticeBoxes);
  }, []);
  useWhenIdle(load);
  return NoticeBoxes;
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
