import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { CallStrip } from "#components/layout/call-strip.tsx";
import { InstructorProfiles } from "#components/pricing/instructor-profiles.tsx";
import { PriceGroups } from "#components/pricing/price-groups.tsx";
import { Questions } from "#components/pricing/questions.tsx";
import { PageHead } from "#components/ui/headings.tsx";
import { config } from "#lib/config.ts";
import { pricingPage } from "#lib/content/pricing-page.ts";
import { instructorPicture } from "#lib/instructor-photo.ts";

export const generateMetadata = () => pageMetadata("pricing");

export default function PricingPage() {
  return (
    <main>
      <div className="page-width page-block">
        <PageHead title={pricingPage.title} lead={pricingPage.lead} />
        <div className="mt-9 md:mt-14 lg:mt-15">
          <InstructorProfiles picture={instructorPicture(config())} className="mb-12 md:mb-16" />
          <PriceGroups heading="h2" />
        </div>
      </div>
      <Questions />
      <CallStrip />
      <PageStructuredData page="pricing" />
    </main>
  );
}
