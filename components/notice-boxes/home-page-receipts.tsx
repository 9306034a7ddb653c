"use client";

import type { BusinessContact } from "#components/application/result.tsx";
import {
  keepScrollSteady,
  useNoticeBoxesComponent,
} from "#components/notice-boxes/notice-box-area.tsx";

/** The receipts of this dialog, below its button. The home page has every other notice box at its top. */
export function HomePageReceipts(contact: BusinessContact) {
  const NoticeBoxes = useNoticeBoxesComponent();
  return (
    <div ref={keepScrollSteady} className="has-[p]:mt-6">
      {NoticeBoxes && <NoticeBoxes {...contact} only="silent" />}
    </div>
  );
}
