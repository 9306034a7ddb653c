import type { ReactNode } from "react";
import { Copy } from "#components/ui/copy.tsx";
import { fillPlaceholders } from "#lib/content/copy.ts";
import { newTabLabel } from "#lib/content/links.ts";
import { personalDataCopy } from "#lib/content/personal-data.ts";

/** The information on personal data has no checkbox, because no consent is needed. */
export function LegalText({
  retentionDays,
  registration,
}: {
  retentionDays: number;
  registration: ReactNode;
}) {
  return (
    <>
      <p className="text-asphalt-600 type-small">
        <Copy text={fillPlaceholders(personalDataCopy.text, { days: retentionDays })} />{" "}
        <a
          href="/privacy"
          target="_blank"
          rel="noopener"
          className="whitespace-nowrap font-semibold text-sign-800 underline underline-offset-4 hover:decoration-2"
        >
          {personalDataCopy.link}
          <span className="sr-only"> {newTabLabel}</span>
        </a>
      </p>
      {registration}
    </>
  );
}
