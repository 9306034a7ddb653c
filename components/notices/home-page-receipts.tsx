"use client";

import type { BusinessContact } from "#components/application/result.tsx";
import { keepScrollSteady, useNoticesComponent } from "#components/notices/notice-area.tsx";

/** The receipts on the home page, below the button that opens the dialog. */
export function HomePageReceipts(contact: BusinessContact) {
  const Notices = useNoticesComponent();
  return (
    <div ref={keepScrollSteady} className="has-[p]:mt-6">
      {Notices && <Notices {...contact} only="silent" />}
    </div>
  );
}
