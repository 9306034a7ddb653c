"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { ContactForm } from "#components/application/contact-form.tsx";
import { type PanelFacts, ResultPanel } from "#components/application/result-panel.tsx";
import { takeTicket } from "#components/application/take-ticket.ts";
import { useCorrection } from "#components/application/use-correction.ts";
import { OutboxNotices } from "#components/notices/outbox-notices.tsx";
import { SessionReceipt } from "#components/notices/session-receipt.tsx";
import { steadyScroll } from "#components/notices/steady-scroll.ts";
import { receiptOf, useOutbox, useResending } from "#components/notices/use-outbox.ts";
import type { Receipt } from "#lib/application/answer.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { temporaryNumber } from "#lib/browser/outbox-entry.ts";
import type { Submitted } from "#lib/browser/submit.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { FORM_ID } from "#lib/content/links.ts";

/** Where the focus goes when the panel has ended. */
type Next = "title" | "notices";

/** The contact page's form and, in its place for a while, what became of the application. */
export function ContactApplication({
  phone,
  notice,
}: {
  phone: string;
  /** What the form says of personal data; made by the page, so that its words are not loaded as script. */
  notice: ReactNode;
}) {
  const [last, setLast] = useState<Submitted>();
  const [showsPanel, setShowsPanel] = useState(false);
  // Each application has an empty form of its own.
  const [formNumber, setFormNumber] = useState(0);
  const [busy, setBusy] = useState(false);
  const { correction, corrected } = useCorrection(busy);
  const outbox = useOutbox();
  const container = useRef<HTMLDivElement>(null);
  const notices = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const next = useRef<Next>(undefined);
  useResending();

  const focusTitle = () => title.current?.focus({ preventScroll: true });

  useEffect(() => {
    if (showsPanel || !next.current) return;
    const place = next.current === "notices" ? notices : title;
    next.current = undefined;
    place.current?.focus({ preventScroll: true });
  }, [showsPanel]);

  useEffect(() => {
    const form = container.current?.querySelector("form");
    if (form) takeTicket(form, location.search);
  }, []);

  function settle(submitted: Submitted) {
    setLast(submitted);
    setShowsPanel(true);
    setFormNumber(formNumber + 1);
    corrected();
  }

  function endPanel(byHand: boolean) {
    // A focus in the panel moves on to what replaces it, so that this is read out; any other focus stays.
    const within = container.current?.contains(document.activeElement) === true;
    next.current = within ? (byHand ? "title" : "notices") : undefined;
    setShowsPanel(false);
  }

  if (last && showsPanel) {
    const facts = factsOf(last, receiptOf(last.idempotencyKey, outbox));
    return (
      <div ref={container}>
        <ResultPanel key={facts.kind} facts={facts} phone={phone} onDone={endPanel} />
      </div>
    );
  }
  return (
    <div ref={container}>
      <div ref={notices} tabIndex={-1} className="outline-none">
        <div ref={steadyScroll} className="flow-root">
          <SessionReceipt className="mb-7" moveFocus={focusTitle} />
          <div role="status" className="grid gap-3 not-empty:mb-7">
            <OutboxNotices phone={phone} moveFocus={focusTitle} />
          </div>
        </div>
      </div>
      <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2
          ref={title}
          id={FORM_ID}
          tabIndex={-1}
          className="type-form text-asphalt-900 outline-none"
        >
          {applicationForm.title}
        </h2>
        <p className="text-asphalt-600 type-helper">{applicationForm.note.contact}</p>
      </div>
      <ContactForm
        key={`${formNumber} ${correction?.idempotencyKey}`}
        phone={phone}
        notice={notice}
        correction={correction}
        onBusy={setBusy}
        onSettled={settle}
      />
    </div>
  );
}

/** What the panel says, also when a kept application was sent meanwhile. */
function factsOf({ result, values, keptAt }: Submitted, sent: Receipt | undefined): PanelFacts {
  const receipt = result.kind === "received" ? result.receipt : sent;
  if (receipt) {
    const number = formatApplicationId(receipt.applicationId);
    return { kind: "received", values, number, at: Date.parse(receipt.submittedAt) };
  }
  const reason = result.kind === "kept" ? result.reason : undefined;
  return { kind: "kept", values, number: temporaryNumber(keptAt), at: keptAt, reason };
}
