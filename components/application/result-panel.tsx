"use client";

import { useLayoutEffect, useRef } from "react";
import { CountdownRow } from "#components/application/countdown-row.tsx";
import { MessageText } from "#components/application/message-text.tsx";
import { ReceiptRow } from "#components/application/receipt-row.tsx";
import { useCountdown } from "#components/application/use-countdown.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CheckIcon, MessageIcon, WifiOffIcon } from "#components/ui/icons.tsx";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { applicationText } from "#lib/application/summary.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import type { Reason } from "#lib/browser/send.ts";
import { copyMessage, kept, received } from "#lib/content/application-result.ts";
import { fill } from "#lib/content/copy.ts";
import { FORM_ID, smsHref } from "#lib/content/links.ts";

/** How long the panel stays when nobody uses it. */
const STAY_MS = { received: 3_000, kept: 5_000 } as const;
const COPY = { received, kept } as const;

export interface PanelFacts {
  kind: "received" | "kept";
  values: FormValues;
  /** The application number, or the temporary one, as people read it. */
  number: string;
  /** When it was received or kept, ms since the epoch. */
  at: number;
  /** Why it is only kept, where that is known. */
  reason?: Reason | undefined;
}

/** Takes the form's place after a submission: received by the server, or kept on this device. */
export function ResultPanel({
  facts,
  phone,
  onDone,
}: {
  facts: PanelFacts;
  phone: string;
  /** `byHand`: the visitor asked for the empty form. */
  onDone: (byHand: boolean) => void;
}) {
  const { kind, values } = facts;
  const copy = COPY[kind];
  const totalMs = STAY_MS[kind];
  const text = applicationText(values);
  const heading = useRef<HTMLHeadingElement>(null);
  const summaryText = useRef<HTMLParagraphElement>(null);
  const { watched, stop, ...countdown } = useCountdown(totalMs, () => onDone(false));
  const panel = watched.ref;

  useLayoutEffect(() => {
    // WebKit drops a scroll that comes with a change of the page: measuring lays the page out first.
    panel.current?.getBoundingClientRect();
    panel.current?.scrollIntoView({ block: "start", behavior: "instant" });
    heading.current?.focus({ preventScroll: true });
  }, [panel]);

  const actions = (
    <div className="mt-6 flex flex-col gap-2.5 sm:flex-row sm:flex-wrap sm:items-center">
      <ButtonLink
        href={smsHref(phone, text)}
        variant={kind === "kept" ? "primary" : "outline"}
        icon={MessageIcon}
      >
        {copy.sms}
      </ButtonLink>
      <CopyButton text={text} shown={summaryText} copy={copyMessage} />
    </div>
  );
  const rows = (
    <dl className="mt-6 border-asphalt-900 border-t-2">
      <ReceiptRow label={copy.number} value={facts.number} />
      <ReceiptRow label={copy.time} value={seoulDateTime(facts.at)} />
    </dl>
  );
  const box = (
    <div className="mt-6 rounded-l bg-asphalt-100 px-5 py-4">
      <p className="font-strong text-small text-asphalt-600">{copy.summary}</p>
      <p ref={summaryText} className="mt-1 font-strong text-asphalt-900 tabular wrap-anywhere">
        <MessageText text={text} />
      </p>
    </div>
  );

  return (
    <div {...watched}>
      <span
        aria-hidden
        className={`[@media(max-height:30rem)]:hidden grid size-14 place-items-center rounded-full ${kind === "kept" ? "bg-lane-500 text-asphalt-900" : "bg-sign-700 text-white"}`}
      >
        {kind === "kept" ? <WifiOffIcon className="size-7" /> : <CheckIcon className="size-7" />}
      </span>
      <h2
        ref={heading}
        // Every link to the form leads here while the panel stands in its place.
        id={FORM_ID}
        tabIndex={-1}
        className="type-form mt-4 text-asphalt-900 outline-none md:text-[2rem]"
      >
        <Copy text={copy.title} />
      </h2>
      <p className="mt-2 text-asphalt-600 type-body">
        <Copy text={textOf(facts)} />
      </p>
      <CountdownRow
        seconds={totalMs / 1_000}
        {...countdown}
        onStay={stop}
        onFresh={() => onDone(true)}
      />
      {kind === "kept" ? (
        <>
          {actions}
          {box}
          {rows}
        </>
      ) : (
        <>
          {rows}
          {box}
          {actions}
        </>
      )}
    </div>
  );
}

function textOf({ kind, values, reason }: PanelFacts): string {
  if (kind === "kept") {
    const when = reason === "connection" ? kept.when.connected : kept.when.later;
    return fill(kept.text, { cause: kept.cause[reason ?? "unknown"], when });
  }
  return fill(received.text, { phone: formatPhone(values.phone) });
}
