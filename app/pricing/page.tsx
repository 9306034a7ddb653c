import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { PriceGroups } from "#components/pricing/price-groups.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { pricingPage } from "#lib/content/pricing.ts";

export const generateMetadata = () => pageMetadata("pricing");

export default function PricingPage() {
  return (
    <main className="page-width pt-10 pb-18 md:pt-16 md:pb-24 lg:pt-20 lg:pb-30">
      <PageHead title={pricingPage.title} lead={pricingPage.lead} />
      <div className="mt-9 md:mt-14 lg:mt-15">
        <PriceGroups level={2} />
      </div>
      <PageStructuredData page="pricing" />
    </main>
  );
}
