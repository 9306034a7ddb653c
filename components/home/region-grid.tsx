import { SectionHead } from "#components/ui/headings.tsx";
import { ArrowRightIcon } from "#components/ui/icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { regionSection } from "#lib/content/home.ts";
import { smsHref } from "#lib/content/links.ts";
import { type Region, regions } from "#lib/content/regions.ts";

function RegionSign({ name, province, romanised, direction }: Region) {
  return (
    <li className="region-cell region-sign">
      <RoadArrow direction={direction} className="region-arrow" />
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

/** Where the business teaches, as direction signs; the last cell is for whoever lives elsewhere. */
export function RegionGrid({ phone }: { phone: string }) {
  return (
    <section className="section-block bg-asphalt-100">
      <div className="page-width">
        <SectionHead title={regionSection.title} lead={regionSection.lead} />
        <ul className="region-cells mt-9 md:mt-14">
          {regions.map((region) => (
            <RegionSign key={region.name} {...region} />
          ))}
          <li className="flex">
            <a
              href={smsHref(phone)}
              className="region-cell w-full border-2 border-asphalt-450 border-dashed colour-fade hover:border-asphalt-900 hover:bg-white"
            >
              <span className="font-bold text-base text-asphalt-900 leading-[1.4] tracking-sign lg:text-xl">
                {regionSection.ask}
              </span>
              <span className="font-strong text-small text-sign-800 leading-normal">
                {regionSection.askLink[0]}{" "}
                <span className="whitespace-nowrap">
                  {regionSection.askLink[1]} <ArrowRightIcon className="inline size-4.5" />
                </span>
              </span>
            </a>
          </li>
        </ul>
      </div>
    </section>
  );
}
