"use client";

import { type RefObject, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CheckIcon, CopyIcon } from "#components/ui/icons.tsx";
import { panel } from "#lib/content/application-result.ts";

/** Copies a text, or selects it for copying by hand where the browser does not let us. */
export function CopyButton({
  source,
  className,
}: {
  source: RefObject<HTMLElement | null>;
  className?: string;
}) {
  const [done, setDone] = useState<"copied" | "selected">();

  async function copy() {
    const element = source.current;
    if (!element) return;
    try {
      // Only in secure contexts, and only if the browser permits it: both end in the catch.
      await navigator.clipboard.writeText(element.textContent);
      setDone("copied");
    } catch {
      getSelection()?.selectAllChildren(element);
      setDone("selected");
    }
  }

  return (
    <>
      <Button
        variant="outline"
        icon={done === "copied" ? CheckIcon : CopyIcon}
        onClick={() => void copy()}
        className={className ?? ""}
      >
        {done === "copied" ? panel.copied : panel.copy}
      </Button>
      <span role="status" className={done === "selected" ? "basis-full type-helper" : "sr-only"}>
        {done === "copied" && panel.copied}
        {done === "selected" && panel.copyByHand}
      </span>
    </>
  );
}
