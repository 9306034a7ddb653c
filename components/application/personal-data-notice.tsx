import { Copy } from "#components/ui/copy.tsx";
import { fill } from "#lib/content/copy.ts";
import { newTab } from "#lib/content/links.ts";
import { personalData } from "#lib/content/personal-data.ts";

/**
 * The notice about personal data: who collects them, why, for how long, and the right to refuse. It has no checkbox,
 * because it asks for no consent.
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
