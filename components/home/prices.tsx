import { PriceGroups } from "#components/pricing/price-groups.tsx";
import { SectionHead } from "#components/ui/headings.tsx";
import { priceBlock } from "#lib/content/pricing.ts";

/** What it costs, with the same tickets as on /pricing. */
export function Prices({ registration }: { registration: string | undefined }) {
  return (
    <section className="section-block">
      <div className="page-width">
        <SectionHead title={priceBlock.title} lead={priceBlock.lead} />
        <div className="mt-9 md:mt-14">
          <PriceGroups level={3} registration={registration} />
        </div>
      </div>
    </section>
  );
}
