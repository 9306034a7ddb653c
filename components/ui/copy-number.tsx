"use client";

import { useEffect, useRef, useState } from "react";
import { CheckIcon, CopyIcon } from "#components/ui/icons.tsx";

/** Copies a phone number, where a visitor at a desk cannot call it; selects it where the browser does not let us. */
export function CopyNumber({
  phone,
  copy,
}: {
  phone: string;
  copy: { readonly copy: string; readonly copied: string; readonly byHand: string };
}) {
  const [done, setDone] = useState<"copied" | "selected">();
  const number = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (done === "selected" && number.current) getSelection()?.selectAllChildren(number.current);
  }, [done]);

  async function press() {
    try {
      // Only in secure contexts, and only if the browser permits it: both end in the catch.
      await navigator.clipboard.writeText(phone);
      setDone("copied");
    } catch {
      setDone("selected");
    }
  }

  return (
    <span className="copy-number">
      <button type="button" onClick={() => void press()} className="copy-number-button">
        {done === "copied" ? <CheckIcon /> : <CopyIcon />}
        {done === "copied" ? copy.copied : copy.copy}
      </button>
      <span role="status" className={done === "selected" ? "type-helper" : "sr-only"}>
        {done === "copied" && copy.copied}
        {done === "selected" && (
          <>
            <span ref={number} className="tabular">
              {phone}
            </span>{" "}
            {copy.byHand}
          </>
        )}
      </span>
    </span>
  );
}
