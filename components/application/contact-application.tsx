"use client";

import { useEffect, useRef, useState } from "react";
import { ContactForm } from "#components/application/contact-form.tsx";
import type { PanelFacts, ResultPanel } from "#components/application/result-panel.tsx";
import { useCorrection } from "#components/application/use-correction.ts";
import { receiptOf, useOutbox } from "#components/application/use-outbox.ts";
import type { Submitted } from "#components/application/use-submission.ts";
import { Copy } from "#components/ui/copy.tsx";
import { WifiOffIcon } from "#components/ui/form-icons.tsx";
import { formatApplicationId } from "#lib/application/number.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { summarise } from "#lib/application/summary.ts";
import { whenIdle } from "#lib/browser/when-idle.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { kept, received } from "#lib/content/contact.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref } from "#lib/content/links.ts";

/** The last application of this page: what its panel says, and afterwards the line under the form. */
interface Last extends PanelFacts {
  idempotencyKey: string;
}

const loadPanel = () => import("#components/application/result-panel.tsx");

/** The contact page's form and, in its place for a while, what became of the application. */
export function ContactApplication({
  phone,
  retentionDays,
}: {
  phone: string;
  retentionDays: number;
}) {
  const [last, setLast] = useState<Last>();
  const [showsPanel, setShowsPanel] = useState(false);
  const [Panel, setPanel] = useState<typeof ResultPanel>();
  const correction = useCorrection();
  const outbox = useOutbox();
  const title = useRef<HTMLHeadingElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const returning = useRef(false);

  useEffect(() => {
    if (showsPanel || !returning.current) return;
    returning.current = false;
    title.current?.focus({ preventScroll: true });
  }, [showsPanel]);

  useEffect(
    () =>
      whenIdle(() => {
        loadPanel().then(
          (loaded) => setPanel(() => loaded.ResultPanel),
          () => {
            // The line above or under the form says what the panel would have said.
          },
        );
      }),
    [],
  );

  function settle(submitted: Submitted) {
    setLast(lastOf(submitted));
    setShowsPanel(true);
  }

  function backToForm() {
    // The focus goes on to the form only from the panel, not from elsewhere on the page.
    returning.current = container.current?.contains(document.activeElement) === true;
    setShowsPanel(false);
  }

  const sentMeanwhile = receiptOf(last?.idempotencyKey, outbox);
  const facts = last && sentMeanwhile ? { ...last, ...receivedFacts(sentMeanwhile) } : last;

  const waits = outbox.waiting.some((entry) => entry.idempotencyKey === last?.idempotencyKey);
  const stillWaits = facts?.kind === "kept" && waits ? facts : undefined;

  return (
    <div ref={container}>
      {Panel && facts && showsPanel ? (
        <Panel key={facts.kind} facts={facts} phone={phone} onDone={backToForm} />
      ) : (
        <>
          {stillWaits && <StillKept facts={stillWaits} phone={phone} />}
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
            key={correction?.idempotencyKey}
            phone={phone}
            retentionDays={retentionDays}
            correction={correction}
            onSettled={settle}
          />
          {facts?.kind === "received" && <LastLine facts={facts} />}
        </>
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

/** What is left of the offline panel: above the empty form, until the application has been sent. */
function StillKept({ facts: { number, values }, phone }: { facts: PanelFacts; phone: string }) {
  return (
    <div className="mb-7 flex gap-3 rounded-l border border-lane-700 bg-lane-100 px-4 pt-4 pb-1.5 text-asphalt-900">
      <WifiOffIcon aria-hidden className="mt-0.5 size-5 shrink-0" strokeWidth={1.9} />
      <div className="min-w-0 tabular type-small">
        <p>
          <Copy text={fill(kept.line, { number })} />
        </p>
        <a
          href={smsHref(phone, summarise(values))}
          className="inline-flex min-h-11 items-center font-[650] underline underline-offset-4 hover:decoration-2"
        >
          {kept.sms}
        </a>
      </div>
    </div>
  );
}

/** What is left of the receipt: the number, under the form. */
function LastLine({ facts: { number, at } }: { facts: PanelFacts }) {
  return (
    <p className="mt-5 border-asphalt-300 border-t pt-5 text-asphalt-700 tabular type-small">
      <Copy text={fill(received.line, { number, time: seoulDateTime(at) })} />
    </p>
  );
}
