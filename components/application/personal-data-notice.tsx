"use client";

import { Copy } from "#components/ui/copy.tsx";
import { fill } from "#lib/content/copy.ts";
import { newTab } from "#lib/content/links.ts";
import { personalData } from "#lib/content/personal-data.ts";

/**
 * Who takes the data, what for, for how long, and the right to refuse. No tick: it is no consent. Its words come with
 * the script: in the home page's document, which has them for the dialog alone, they would take 200 bytes.
 */
export function PersonalDataNotice({ retentionDays }: { retentionDays: number }) {
  return (
    <p className="text-asphalt-600 type-small">
      <Copy text={fill(personalData.text, { days: retentionDays })} />{" "}
      <a
        href="/privacy"
        target="_blank"
        rel="noopener"
        className="whitespace-nowrap font-semibold text-sign-800 underline underline-offset-4 hover:decoration-2"
      >
        {personalData.link}
        <span className="sr-only"> {newTab}</span>
      </a>
    </p>
  );
}
