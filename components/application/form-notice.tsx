import { Registration } from "#components/pricing/registration.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { config } from "#lib/config.ts";
import { fill } from "#lib/content/copy.ts";
import { newTab } from "#lib/content/links.ts";
import { personalData } from "#lib/content/personal-data.ts";

/**
 * Above the button of every form: who takes the data, what for, for how long, and the right to refuse, and that this is
 * a registered academy. No tick: it is no consent.
 */
export function FormNotice() {
  return (
    <>
      <p className="text-asphalt-600 type-small">
        <Copy text={fill(personalData.text, { days: config().retentionDays })} />{" "}
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
      <Registration />
    </>
  );
}
