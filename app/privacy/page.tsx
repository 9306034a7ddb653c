import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { Policy } from "#components/privacy/policy.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { PageHead } from "#components/ui/headings.tsx";
import { config } from "#lib/config.ts";
import { business } from "#lib/content/business.ts";
import { fill } from "#lib/content/copy.ts";
import { KEEP_DAYS } from "#lib/content/on-device.ts";
import { knownSections } from "#lib/content/policy.ts";
import { policySections, privacyPage } from "#lib/content/privacy.ts";

export const generateMetadata = () => pageMetadata("privacy");

export default function PrivacyPage() {
  const { business: registered, inquiryPhone, retentionDays, siteUrl } = config();
  const facts = {
    places: {
      ...registered,
      name: registered.name ?? business.name,
      registeredName: registered.name,
      phone: inquiryPhone,
      days: retentionDays,
      keptDays: KEEP_DAYS,
    },
    https: siteUrl.startsWith("https:"),
  };
  return (
    <main className="page-width page-block font-privacy">
      <div className="max-w-[42rem]">
        <PageHead title={privacyPage.title} lead={privacyPage.lead} />
        <Policy sections={knownSections(policySections, facts)} />
        <p className="type-body mt-10 lg:mt-12">
          <Copy text={fill(privacyPage.effective, { date: privacyPage.effectiveDate })} />
        </p>
      </div>
      <PageStructuredData page="privacy" />
    </main>
  );
}
