"use client";

import { useRef } from "react";
import { MessageText } from "#components/application/message-text.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { copyMessage, failure } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";

/** The text message to read and to copy, with its number: not every in-app browser opens an `sms:` link. */
export function TextByHand({ phone, text }: { phone: string; text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  return (
    <div className="mt-1">
      <p>
        <Copy text={fill(failure.byHand, { phone })} />
      </p>
      <p ref={shown} className="my-2 font-strong tabular wrap-anywhere">
        <MessageText text={text} />
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CopyButton text={text} shown={shown} copy={copyMessage} />
      </div>
    </div>
  );
}
