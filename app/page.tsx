import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { ApplicationMethod } from "#components/home/application-method.tsx";
import { ClosingSection } from "#components/home/closing-section.tsx";
import { Features } from "#components/home/features.tsx";
import { Hero, HourStrip } from "#components/home/hero.tsx";
import { Promotion } from "#components/home/promotion.tsx";
import { RegionGrid } from "#components/home/region-grid.tsx";
import { InstructorProfile } from "#components/pricing/instructor-profile.tsx";
import { PriceGroups } from "#components/pricing/price-groups.tsx";
import { SectionHead } from "#components/ui/headings.tsx";
import { priceBlock } from "#lib/content/pricing.ts";

export const generateMetadata = () => pageMetadata("home");

export default function HomePage() {
  return (
    <main>
      <Hero />
      <HourStrip />
      <Features />
      <RegionGrid />
      <Promotion />
      <section className="section-block page-width">
        <InstructorProfile />
        <SectionHead title={priceBlock.title} lead={priceBlock.lead} />
        <div className="section-body">
          <PriceGroups heading="h3" />
        </div>
      </section>
      <ApplicationMethod />
      <ClosingSection />
      <PageStructuredData page="home" />
    </main>
  );
}
