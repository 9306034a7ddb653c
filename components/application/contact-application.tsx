"use client";

import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { ContactForm } from "#components/application/contact-form.tsx";
import type { ContactResult } from "#components/application/contact-result.tsx";
import { LastLine } from "#components/application/last-line.tsx";
import type { PanelFacts } from "#components/application/result-panel.tsx";
import { useCorrection } from "#components/application/use-correction.ts";
import { receiptOf, useOutbox } from "#components/application/use-outbox.ts";
import type { Submitted } from "#components/application/use-submission.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { show } from "#lib/browser/outbox-view.ts";
import { whenIdle } from "#lib/browser/when-idle.ts";
import { applicationForm } from "#lib/content/application-form.ts";

/** The last application of this page: what its panel says, and afterwards the notice or line at the form. */
interface Last extends PanelFacts {
  idempotencyKey: string;
}

/** The contact page's form and, in its place for a while, what became of the application. */
export function ContactApplication({
  phone,
  notice,
}: {
  phone: string;
  /** What the form says of personal data; made by the page, so that its words are not loaded as script. */
  notice: ReactNode;
}) {
  const [last, setLast] = useState<Last>();
  // Each application has an empty form of its own.
  const [round, setRound] = useState(0);
  const [showsPanel, setShowsPanel] = useState(false);
  const [shows, setShows] = useState<ContactResult>();
  const { correction, corrected } = useCorrection();
  const outbox = useOutbox();
  const title = useRef<HTMLHeadingElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const returning = useRef(false);

  const focusTitle = () => title.current?.focus({ preventScroll: true });

  useEffect(() => {
    if (showsPanel || !returning.current) return;
    returning.current = false;
    title.current?.focus({ preventScroll: true });
  }, [showsPanel]);

  // While this page tells of it, the notices of all pages do not.
  useEffect(() => {
    if (!last) return;
    show({ atForm: last.idempotencyKey });
    return () => show({ atForm: undefined });
  }, [last]);

  // Without the panel the line is all that tells of it.
  useEffect(() => {
    if (last) line.current?.focus();
  }, [last]);

  /** When the page is idle, at the latest on the press. */
  const load = useCallback(async () => {
    const { contactResult } = await import("#components/application/contact-result.tsx");
    setShows(contactResult);
  }, []);

  useEffect(
    () =>
      whenIdle(() => {
        load().catch(() => {
          // Asked for again on the press; without it the line says what the panel would have said.
        });
      }),
    [load],
  );

  function settle(submitted: Submitted) {
    setLast(lastOf(submitted));
    setShowsPanel(true);
    setRound(round + 1);
    corrected();
  }

  function backToForm() {
    // The focus goes on to the form only from the panel, not from elsewhere on the page.
    returning.current = container.current?.contains(document.activeElement) === true;
    setShowsPanel(false);
  }

  const sentMeanwhile = receiptOf(last?.idempotencyKey, outbox);
  const facts = last && sentMeanwhile ? { ...last, ...receivedFacts(sentMeanwhile) } : last;
  const { Panel, Notice, Failure } = shows ?? {};
  const noticed = last?.kind === "kept" && Notice !== undefined;

  if (Panel && facts && showsPanel) {
    return (
      <div ref={container}>
        <Panel key={facts.kind} facts={facts} phone={phone} onDone={backToForm} />
      </div>
    );
  }
  return (
    <div ref={container}>
      {noticed && (
        <Notice
          idempotencyKey={last.idempotencyKey}
          number={last.number}
          phone={phone}
          moveFocus={focusTitle}
        />
      )}
      <div className="mb-8 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2
          ref={title}
          tabIndex={-1}
          className="font-[750] text-[1.625rem] text-asphalt-900 leading-[1.3] tracking-[-0.03em] lg:text-[1.75rem]"
        >
          {applicationForm.title}
        </h2>
        <p className="text-asphalt-600 type-helper">{applicationForm.note.contact}</p>
      </div>
      <ContactForm
        key={`${round} ${correction?.idempotencyKey}`}
        phone={phone}
        notice={notice}
        correction={correction}
        Failure={Failure}
        loadResult={load}
        onSettled={settle}
      />
      {facts && !noticed && (
        <div className="mt-5">
          <LastLine ref={line} facts={facts} values={facts.values} phone={phone} />
        </div>
      )}
    </div>
  );
}

function lastOf({ result, values, idempotencyKey }: Submitted): Last {
  const now = Date.now();
  const facts =
    result.kind === "received"
      ? receivedFacts(result.receipt)
      : ({ kind: "kept", number: `OFFLINE-${now}`, at: now } as const);
  return { ...facts, values, idempotencyKey };
}

function receivedFacts({
  applicationId,
  submittedAt,
}: {
  applicationId: string;
  submittedAt: string;
}) {
  return {
    kind: "received",
    number: formatApplicationId(applicationId),
    at: Date.parse(submittedAt),
  } as const;
}
