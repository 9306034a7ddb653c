import { ButtonLink } from "#components/ui/button.tsx";
import { ArrowRightIcon, MessageIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { config } from "#lib/config.ts";
import { hero, hourStrip } from "#lib/content/home-page.ts";
import { formHref, PRICES_ID, smsHref } from "#lib/content/links.ts";
import { pages } from "#lib/content/pages.ts";
import { COURSE_HOURS } from "#lib/content/prices.ts";

export function Hero() {
  return (
    <section className="hero">
      <div className="hero-text page-width">
        <PageText as="h1" className="hero-title" text={hero.title} />
        <PageText as="p" className="hero-lead" text={hero.lead} />
        <p className="hero-facts">
          <PageText text={hero.regions} />
          {/* CSS puts a dot before each price, and clips a dot at the start of a line. */}
          <a href={`#${PRICES_ID}`} className="hero-prices">
            {hero.prices.map((price) => (
              <span key={price} className="hero-price">
                {`${price} `}
              </span>
            ))}
          </a>
        </p>
        <div className="hero-ways">
          <ButtonLink href={formHref} size="lg" className="w-full sm:w-auto">
            {hero.apply}
          </ButtonLink>
          <ButtonLink
            href={smsHref(config().inquiryPhone)}
            variant="outline"
            size="lg"
            icon={MessageIcon}
            className="button-on-picture flex-auto sm:flex-none"
          >
            {hero.sms}
          </ButtonLink>
          <a href={pages.gallery.path} className="text-link button-on-picture hero-gallery">
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
        className="hero-picture"
      />
    </section>
  );
}

export function CourseHours() {
  return (
    <section aria-labelledby="hours" className="hour-strip">
      <div className="page-width grid grid-cols-1 gap-y-3.5 lg:grid-cols-[17.5rem_minmax(0,1fr)] lg:items-center lg:gap-x-18">
        <div>
          <h2 id="hours" className="font-bold text-lg leading-[1.4] tracking-sign lg:text-xl">
            {hourStrip.title}
          </h2>
          <p className="type-small text-asphalt-300">{hourStrip.text}</p>
        </div>
        <ol className="hours">
          {[...Array(COURSE_HOURS).keys()].map((hour) => (
            <li key={hour} className="hour min-w-0 flex-1">
              {hour + 1}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
