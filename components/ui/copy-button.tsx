"use client";

import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { CheckIcon, CopyIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { copyPhoneLabels } from "#lib/content/links.ts";

/** The button offers to copy again after this time, because the clipboard may have other content. */
const COPIED_MS = 3_000;

/** If the browser refuses to copy, the button selects the text for the visitor. */
export function CopyButton({
  text,
  textElementId,
  labels,
  className = "button button-md button-outline",
}: {
  text: string;
  /** Id of an element that shows the text. Without one, the button shows the text if the browser does not copy it. */
  textElementId?: string;
  labels: { readonly copy: string; readonly copied: string; readonly byHand: string };
  className?: string;
}) {
  const [isCopied, setCopied] = useState<boolean>();
  const [isSelected, setSelected] = useState<boolean>();
  const own = useRef<HTMLSpanElement>(null);

  async function copyText() {
    try {
      // `navigator.clipboard` is undefined in an insecure context.
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setSelected(false);
      setTimeout(setCopied, COPIED_MS);
    } catch {
      flushSync(() => {
        setCopied(false);
        setSelected(true);
      });
      const place = textElementId ? document.getElementById(textElementId) : own.current;
      if (place) getSelection()?.selectAllChildren(place);
    }
  }

  return (
    <>
      <button type="button" onClick={() => void copyText()} className={className}>
        {isCopied ? <CheckIcon /> : <CopyIcon />}
        <PageText text={isCopied ? labels.copied : labels.copy} />
      </button>
      <span
        role="status"
        className={isSelected ? "basis-full text-balance type-helper" : "sr-only"}
      >
        {isCopied && <PageText text={labels.copied} />}
        {isSelected && !textElementId && (
          <span ref={own} className="tabular mr-1">
            {text}
          </span>
        )}
        {isSelected && <PageText text={labels.byHand} />}
      </span>
    </>
  );
}

export function CopyPhoneButton({ phone }: { phone: string }) {
  return (
    <span className="copy-number">
      <CopyButton text={phone} labels={copyPhoneLabels} className="copy-number-button" />
    </span>
  );
}
