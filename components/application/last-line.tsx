"use client";

import type { Ref } from "react";
import type { PanelFacts } from "#components/application/result-panel.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { summarise } from "#lib/application/summary.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { applicationForm } from "#lib/content/application-form.ts";
import { fill } from "#lib/content/copy.ts";
import { smsHref } from "#lib/content/links.ts";

/**
 * What is left of the panel: the number, under the form. Where the code for the panel or the failure's box
 * did not come, it is all that the page says, also of an application that is kept, or is nowhere (no facts).
 */
export function LastLine({
  facts,
  values,
  phone,
  ref,
}: {
  facts?: PanelFacts;
  values: FormValues;
  phone: string;
  ref: Ref<HTMLDivElement>;
}) {
  const { last } = applicationForm;
  return (
    <div
      ref={ref}
      tabIndex={-1}
      className="scroll-my-24 border-asphalt-300 border-t pt-5 text-asphalt-700 tabular type-small"
    >
      <Copy text={textOf(facts)} />{" "}
      {facts?.kind !== "received" && (
        <a
          href={smsHref(phone, summarise(values))}
          className="inline-flex min-h-11 items-center font-[650] underline underline-offset-4 hover:decoration-2"
        >
          {last.sms}
        </a>
      )}
    </div>
  );
}

function textOf(facts: PanelFacts | undefined): string {
  const { last } = applicationForm;
  if (!facts) return last.failed;
  const { kind, number, at } = facts;
  return kind === "received"
    ? fill(last.received, { number, time: seoulDateTime(at) })
    : fill(last.kept, { number });
}
