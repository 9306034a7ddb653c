import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { ArrowRightIcon, MessageIcon } from "#components/ui/icons.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { config } from "#lib/config.ts";
import { hero, hourStrip } from "#lib/content/home.ts";
import { formHref, smsHref } from "#lib/content/links.ts";
import { pages } from "#lib/content/pages.ts";
import { COURSE_HOURS } from "#lib/content/prices.ts";

/** On a wide screen the words stand on the picture's sky; on a narrower one above the picture. */
export function Hero() {
  return (
    <section className="hero">
      <div className="page-width pt-9 pb-8 md:pt-14 md:pb-12 lg:relative lg:z-10 lg:pt-[4.125rem] lg:pb-10">
        <Copy as="h1" className="hero-title" text={hero.title} />
        <p className="type-lead mt-4.5 text-asphalt-600 lg:mt-5 lg:text-xl lg:text-asphalt-800 lg:leading-[1.6]">
          <Copy text={hero.lead} />
        </p>
        <Prices />
        <div className="mt-6 flex flex-col items-start gap-2.5 sm:flex-row sm:flex-wrap sm:items-center md:gap-3 lg:mt-7">
          <ButtonLink href={formHref} size="lg" className="w-full sm:w-auto">
            {hero.apply}
          </ButtonLink>
          <ButtonLink
            href={smsHref(config().inquiryPhone)}
            variant="outline"
            size="lg"
            icon={MessageIcon}
            className="button-on-picture w-full sm:w-auto"
          >
            {hero.sms}
          </ButtonLink>
          <a
            href={pages.gallery.path}
            className="text-link button-on-picture tracking-button sm:px-2 lg:min-h-14 lg:rounded-m lg:px-6 lg:text-asphalt-900"
          >
            <span className="max-lg:text-link-line">{hero.gallery}</span>
            <ArrowRightIcon />
          </a>
        </div>
      </div>
      <Photo
        picture={hero.picture}
        phonePicture={hero.phonePicture}
        sizes="100vw"
        eager
        className="aspect-[4/5] max-h-[40rem] w-full md:aspect-[2/1] lg:absolute lg:inset-0 lg:aspect-auto lg:max-h-none lg:[&_img]:object-[50%_30%]"
      />
    </section>
  );
}

/**
 * From 1024 px on a white label, for the picture behind it is busy there. The dot between two prices stands before
 * the second; where that begins a line, the dot is cut off.
 */
function Prices() {
  return (
    <p className="hero-facts">
      <strong className="tabular flex flex-wrap gap-x-[0.85em] overflow-clip font-bold text-asphalt-900">
        {hero.prices.map((price) => (
          <span key={price} className="hero-price">
            {`${price} `}
          </span>
        ))}
      </strong>
    </p>
  );
}

const HOURS = Array.from({ length: COURSE_HOURS }, (_, index) => index + 1);

/** The road of the picture goes on: one yellow dash for each hour of the course. */
export function HourStrip() {
  return (
    <section
      aria-labelledby="hours"
      className="bg-asphalt-900 py-6.5 text-white lg:flex lg:min-h-27 lg:items-center lg:py-5"
    >
      <div className="page-width grid grid-cols-1 gap-y-4.5 lg:grid-cols-[17.5rem_minmax(0,1fr)] lg:items-center lg:gap-x-18">
        <div>
          <h2 id="hours" className="font-bold text-lg leading-[1.4] tracking-sign lg:text-xl">
            {hourStrip.title}
          </h2>
          <p className="type-small text-asphalt-300">{hourStrip.text}</p>
        </div>
        <ol className="hours">
          {HOURS.map((hour) => (
            <li key={hour} className="hour min-w-0 flex-1">
              {hour}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
