"use client";

import { CopyButton } from "#components/ui/copy-button.tsx";
import { copyNumber } from "#lib/content/copy-number.ts";

/** Copies a phone number, for visitors at a desk, where a `tel:` link does nothing. */
export function CopyNumber({ phone }: { phone: string }) {
  return (
    <span className="copy-number">
      <CopyButton text={phone} copy={copyNumber} className="copy-number-button" />
    </span>
  );
}
