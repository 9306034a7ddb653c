"use client";

import type { BusinessContact } from "#components/application/result.tsx";
import {
  keepScrollSteady,
  useNoticeBoxesComponent,
} from "#components/notice-boxes/notice-box-area.tsx";

/** The receipts on the home page, below the button that opens the dialog. */
export function HomePageReceipts(contact: BusinessContact) {
  const NoticeBoxes = useNoticeBoxesComponent();
  return (
    <div ref={keepScrollSteady} className="has-[p]:mt-6">
      {NoticeBoxes && <NoticeBoxes {...contact} only="silent" />}
    </div>
  );
}
