import { CallButton } from "#components/ui/button.tsx";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { config } from "#lib/config.ts";
import { callStripTexts } from "#lib/content/layout.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

export function CallStrip() {
  const { inquiryPhone: phone } = config();
  return (
    <section className="page-width flex flex-col gap-6 py-12 md:flex-row md:flex-wrap md:items-center md:justify-between md:py-16 lg:py-21">
      <PageText as="h2" className="type-h2 text-asphalt-900" text={callStripTexts.title} />
      <div className="flex flex-col gap-x-2.5 md:flex-row md:items-center">
        <CallButton phone={phone} aria-label={fillPlaceholders(callStripTexts.label, { phone })} />
        <CopyPhoneButton phone={phone} />
      </div>
    </section>
  );
}
