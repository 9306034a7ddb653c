import { FeatureCard } from "#components/home/feature-card.tsx";
import { TimeTable } from "#components/home/time-table.tsx";
import { SectionHead } from "#components/ui/headings.tsx";
import { features } from "#lib/content/home.ts";
import { regions } from "#lib/content/regions.ts";

const { professional, area, times, personal, female } = features;

/** Five cards, no two alike. */
export function Features() {
  return (
    <section className="section-block">
      <div className="page-width">
        <SectionHead title={features.title} lead={features.lead} />
        <ul className="mt-9 grid grid-cols-1 gap-3 md:mt-14 md:grid-cols-2 md:gap-5 lg:grid-cols-12">
          <FeatureCard {...professional} surface="lane" className="lg:col-span-5">
            <p className="plate">{professional.plate}</p>
          </FeatureCard>
          <FeatureCard {...area} surface="sign" className="lg:col-span-7">
            <ul className="flex flex-wrap gap-2 lg:gap-2.5">
              {regions.map(({ name, province }) => (
                <li key={name} className="place-chip">
                  {name}
                  {province && <span className="ml-0.5 font-medium text-legal">({province})</span>}
                </li>
              ))}
            </ul>
          </FeatureCard>
          <FeatureCard {...times} className="lg:col-span-5">
            <TimeTable />
          </FeatureCard>
          <FeatureCard {...personal} className="lg:col-span-3">
            <ul className="flex flex-wrap gap-2">
              {personal.practices.map((practice) => (
                <li key={practice} className="practice-chip">
                  {practice}
                </li>
              ))}
            </ul>
          </FeatureCard>
          <FeatureCard {...female} className="md:col-span-2 lg:col-span-4">
            <p className="text-bubble bg-sign-100 px-4.5 py-2.5 text-asphalt-700">
              {female.bubble}
            </p>
          </FeatureCard>
        </ul>
      </div>
    </section>
  );
}
