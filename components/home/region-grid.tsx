import { ArrowRightIcon } from "#components/ui/page-icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { SectionHead } from "#components/ui/section-head.tsx";
import { smsTemplate } from "#lib/content/business.ts";
import { regionSection } from "#lib/content/home.ts";
import { smsHref } from "#lib/content/links.ts";
import { type Region, regions } from "#lib/content/regions.ts";

const CELL =
  "flex min-h-27 flex-col rounded-l px-4 py-4 min-[22.5rem]:px-5 md:px-6 lg:min-h-38 lg:px-6.5 lg:py-6";

function RegionSign({ name, province, romanised, direction }: Region) {
  return (
    <li className={`keyline relative justify-end bg-sign-800 text-white ${CELL}`}>
      <RoadArrow
        direction={direction}
        className="absolute top-4.5 right-4.5 size-6 lg:top-6.5 lg:right-6.5 lg:size-8"
      />
      <p className="font-[750] text-[1.625rem] leading-[1.15] tracking-[-0.02em] lg:text-[2.125rem]">
        {name}
        {province && (
          <span className="ml-1 font-medium text-[0.9375rem] tracking-normal">({province})</span>
        )}
      </p>
      <p
        lang="en"
        className="font-medium text-[0.9375rem] leading-[1.35] tracking-normal lg:text-[1.0625rem]"
      >
        {romanised}
      </p>
    </li>
  );
}

/** Where the business teaches, as direction signs; the last cell is for whoever lives elsewhere. */
export function RegionGrid({ phone }: { phone: string }) {
  return (
    <section className="section-block bg-asphalt-100">
      <div className="page-width">
        <SectionHead title={regionSection.title} lead={regionSection.lead} />
        <ul className="mt-9 grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,50%_-_0.375rem)),1fr))] gap-3 md:mt-14 md:grid-cols-4 md:gap-5">
          {regions.map((region) => (
            <RegionSign key={region.name} {...region} />
          ))}
          <li className="flex">
            <a
              href={smsHref(phone, smsTemplate)}
              className={`w-full justify-end border-2 border-asphalt-450 border-dashed transition-colors duration-colour hover:border-asphalt-900 hover:bg-white focus-visible:rounded-l md:px-4 ${CELL}`}
            >
              <span className="font-bold text-[1rem] text-asphalt-900 leading-[1.4] tracking-[-0.02em] lg:text-[1.25rem]">
                {regionSection.ask}
              </span>
              <span className="font-[650] text-[0.9375rem] text-sign-800 leading-[1.5]">
                {regionSection.askLink}{" "}
                <ArrowRightIcon aria-hidden className="inline size-4.5" strokeWidth={1.9} />
              </span>
            </a>
          </li>
        </ul>
      </div>
    </section>
  );
}
