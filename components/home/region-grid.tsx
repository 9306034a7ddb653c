import { SectionHead } from "#components/ui/headings.tsx";
import { ArrowRightIcon } from "#components/ui/icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { config } from "#lib/config.ts";
import { regionSection } from "#lib/content/home.ts";
import { smsHref } from "#lib/content/links.ts";
import { type Region, regions } from "#lib/content/regions.ts";

/** Where the business teaches, as direction signs; the last cell is for whoever lives elsewhere. No cell is alone in the last row. */
export function RegionGrid() {
  const { title, lead, ask, askLink } = regionSection;
  return (
    <section className="section-block bg-asphalt-100">
      <div className="page-width">
        <SectionHead title={title} lead={lead} />
        <ul className="two-columns mt-9 grid gap-3 md:mt-14 md:grid-cols-4 md:gap-5 md:has-[>:last-child:nth-child(4n+1)]:grid-cols-3">
          {regions.map((region) => (
            <RegionSign key={region.name} {...region} />
          ))}
          <li className="flex max-md:odd:col-span-full">
            <a
              href={smsHref(config().inquiryPhone)}
              className="region-cell w-full border-2 border-asphalt-450 border-dashed colour-fade hover:border-asphalt-900 hover:bg-white"
            >
              <span className="font-bold text-base text-asphalt-900 leading-[1.4] tracking-sign lg:text-xl">
                {ask}
              </span>
              <span className="font-strong text-small text-sign-800 leading-normal">
                {askLink[0]}{" "}
                <span className="whitespace-nowrap">
                  {askLink[1]} <ArrowRightIcon className="inline size-4.5" />
                </span>
              </span>
            </a>
          </li>
        </ul>
      </div>
    </section>
  );
}

/** A name that needs two lines stays below the arrow. */
function RegionSign({ name, province, romanised, direction }: Region) {
  return (
    <li className="region-cell keyline relative bg-sign-800 pt-10 text-white">
      <RoadArrow
        direction={direction}
        className="absolute top-4.5 right-4.5 size-6 lg:top-6.5 lg:right-6.5 lg:size-8"
      />
      <p className="font-heavy text-sign leading-[1.15] tracking-sign lg:text-[2.125rem]">
        {name}
        {province && (
          <span className="ml-1 font-medium text-small tracking-normal">({province})</span>
        )}
      </p>
      <p lang="en" className="sign-english lg:text-control">
        {romanised}
      </p>
    </li>
  );
}
