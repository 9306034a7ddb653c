import type { ReactNode } from "react";
import { Copy } from "#components/ui/copy.tsx";
import { fillPlaceholders } from "#lib/content/copy.ts";
import { newTabLabel } from "#lib/content/links.ts";
import { nextSteps } from "#lib/content/next-steps.ts";
import { personalDataCopy } from "#lib/content/personal-data.ts";

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
        <Copy text={fillPlaceholders(personalDataCopy.text, { days: retentionDays })} />{" "}
        <a href="/privacy" target="_blank" rel="noopener" className="inline-link whitespace-nowrap">
          {personalDataCopy.link}
          <span className="sr-only"> {newTabLabel}</span>
        </a>
      </p>
      {registration}
      <p className="text-asphalt-700 text-small leading-normal">
        <Copy text={nextSteps.submit} /> {callbackPromise}
      </p>
    </>
  );
}
