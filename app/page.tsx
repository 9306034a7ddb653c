import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { ClosingSection } from "#components/home/closing-section.tsx";
import { Features } from "#components/home/features.tsx";
import { CourseHours, Hero } from "#components/home/hero.tsx";
import { NextSteps } from "#components/home/next-steps.tsx";
import { Promotion } from "#components/home/promotion.tsx";
import { RegionGrid } from "#components/home/region-grid.tsx";
import { TextApplicationSection } from "#components/home/text-application-section.tsx";
import { InstructorProfiles } from "#components/pricing/instructor-profiles.tsx";
import { PriceGroups } from "#components/pricing/price-groups.tsx";
import { SectionHead } from "#components/ui/headings.tsx";
import { config } from "#lib/config.ts";
import { PRICES_ID } from "#lib/content/links.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";
import { instructorPicture } from "#lib/instructor-photo.ts";

export const generateMetadata = () => pageMetadata("home");

export default function HomePage() {
  return (
    <main>
      <Hero />
      <CourseHours />
      <InstructorProfiles
        picture={instructorPicture(config())}
        className="page-width pt-12 md:pt-20 lg:pt-24"
      />
      <Features />
      <RegionGrid />
      <Promotion />
      <section id={PRICES_ID} className="section-block page-width">
        <SectionHead title={priceBlock.title} lead={priceBlock.lead} />
        <div className="section-body">
          <PriceGroups heading="h3" />
        </div>
      </section>
      <NextSteps />
      <TextApplicationSection />
      <ClosingSection />
      <PageStructuredData page="home" />
    </main>
  );
}
