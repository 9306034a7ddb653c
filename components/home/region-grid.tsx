import { SectionHead } from "#components/ui/headings.tsx";
import { ArrowRightIcon } from "#components/ui/icons.tsx";
import { RoadArrow } from "#components/ui/road-arrow.tsx";
import { config } from "#lib/config.ts";
import { regionSection } from "#lib/content/home-page.ts";
import { prefilledFormHref, smsHref } from "#lib/content/links.ts";
import { type Region, regionId, regions } from "#lib/content/regions.ts";
import { composeTextTemplate } from "#lib/content/text-application.ts";

/**
 * If the last cell (other regions) would be alone in its row, it fills that row on a phone. Wider windows then have
 * three cells in a row instead of four.
 */
export function RegionGrid() {
  const { title, lead, ask, askLink } = regionSection;
  return (
    <section className="section-block bg-asphalt-100">
      <div className="page-width">
        <SectionHead title={title} lead={lead} />
        <ul className="two-columns section-body grid gap-3 md:grid-cols-4 md:gap-5 md:has-[>:last-child:nth-child(4n+1)]:grid-cols-3">
          {regions.map((region) => (
            <RegionSign key={region.name} {...region} />
          ))}
          <li className="flex max-md:odd:col-span-full">
            <a href={smsHref(config().inquiryPhone)} className="region-cell region-else">
              <span className="font-bold text-asphalt-900 leading-[1.4] tracking-sign lg:text-xl">
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

/** The sign of a region that the form does not offer opens a text message. */
function RegionSign({ name, province, romanised, direction, isPhoneOnly }: Region) {
  const href = isPhoneOnly
    ? smsHref(config().inquiryPhone, composeTextTemplate({ region: name }))
    : prefilledFormHref({ region: regionId(romanised) });
  return (
    <li className="flex">
      <a href={href} className="region-cell region-sign keyline">
        <RoadArrow direction={direction} className="region-arrow" />
        <span className="region-name">
          {name}
          {province && (
            <span className="ml-1 font-medium text-small tracking-normal">({province})</span>
          )}
        </span>
        <span lang="en" className="sign-english lg:text-control">
          {romanised}
        </span>
        {isPhoneOnly && <span className="region-way">{regionSection.byText}</span>}
      </a>
    </li>
  );
}
