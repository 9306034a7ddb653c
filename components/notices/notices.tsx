"use client";

import { useEffect, useState } from "react";
import { Notice, type Place, type Told } from "#components/notices/notice.tsx";
import { useRecords } from "#components/notices/use-records.ts";
import { thisTab } from "#lib/browser/names.ts";
import { startSending } from "#lib/browser/sender.ts";
import { isShownHere } from "#lib/browser/store.ts";

/**
 * What this device keeps: above the form on /contact, at the top of every other page. What waits, what was sent of it
 * and what was refused is announced when it changes. The receipt of a press was told when it came.
 * `isThere`: a live region says only what comes into it once it is there.
 */
export function Notices({ isThere = true, ...place }: Place & { isThere?: boolean }) {
  const told = useRecords().filter(
    (record): record is Told => isThere && record.state !== "draft" && !isShownHere(record.id),
  );
  const isReceipt = (record: Told) => record.state === "received" && record.byPress;
  const regions = [
    { role: undefined, of: told.filter((record) => isReceipt(record) && record.tab === thisTab()) },
    { role: "status", of: told.filter((each) => each.state !== "refused" && !isReceipt(each)) },
    { role: "alert", of: told.filter(({ state }) => state === "refused") },
  ];
  return regions.map(({ role, of }) => (
    <div key={role ?? "receipt"} role={role} className="grid gap-3">
      {of.map((record) => (
        <Notice key={record.id} record={record} {...place} />
      ))}
    </div>
  ));
}

/** The notices at the top of a page, and what sends from there. */
export function SiteNotices(place: Pick<Place, "phone" | "callback">) {
  const [isThere, setThere] = useState(false);
  useEffect(startSending, []);
  useEffect(() => setThere(true), []);
  return <Notices {...place} moveFocus={focusContent} isThere={isThere} />;
}

/** The notice is about to go: the focus moves on to what follows it, not out of the page. */
function focusContent(): void {
  document.getElementById("content")?.focus({ preventScroll: true });
}
