"use client";

import { CopyButton } from "#components/ui/copy-button.tsx";
import { copyNumber } from "#lib/content/links.ts";

/** Copies a phone number, for visitors at a desk, where a `tel:` link does nothing. Without a script it could do nothing either. */
export function CopyNumber({ phone }: { phone: string }) {
  return (
    <span className="hidden col-span-full flex-wrap items-center gap-x-3 in-[.on-dark]:text-white desk:flex">
      <CopyButton
        text={phone}
        copy={copyNumber}
        className="inline-flex min-h-11 items-center gap-2 px-2 font-strong text-small underline decoration-[1.5px] underline-offset-4 hover:decoration-[2.5px]"
      />
    </span>
  );
}
