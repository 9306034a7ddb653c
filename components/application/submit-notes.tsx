import type { ReactNode } from "react";
import { PageText } from "#components/ui/page-text.tsx";
import { newTabLabel } from "#lib/content/links.ts";
import { nextSteps } from "#lib/content/next-steps.ts";
import { personalDataTexts } from "#lib/content/personal-data.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

/**
 * What stands above the submit button: the information on personal data, which has no checkbox because no consent is
 * needed, and what happens after the submission.
 */
export function SubmitNotes({
  retentionDays,
  registration,
  callbackPromise,
}: {
  retentionDays: number;
  registration: ReactNode;
  callbackPromise: string | undefined;
}) {
  return (
    <>
      <p className="text-asphalt-600 type-small">
        <PageText text={fillPlaceholders(personalDataTexts.text, { days: retentionDays })} />{" "}
        <a href="/privacy" target="_blank" rel="noopener" className="inline-link whitespace-nowrap">
          {personalDataTexts.link}
          <span className="sr-only"> {newTabLabel}</span>
        </a>
      </p>
      {registration}
      <p className="text-asphalt-700 text-small leading-normal">
        <PageText text={nextSteps.submit} /> {callbackPromise}
      </p>
    </>
  );
}
