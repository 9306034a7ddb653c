import { ButtonLink } from "#components/ui/button.tsx";
import { Copy } from "#components/ui/copy.tsx";
import { ArrowRightIcon, MessageIcon } from "#components/ui/icons.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { hero } from "#lib/content/home.ts";
import { formHref, smsHref } from "#lib/content/links.ts";

/** On a wide screen the words stand on the picture's sky; on a narrower one above the picture. */
export function Hero({ phone }: { phone: string }) {
  return (
    <section className="relative lg:flex lg:min-h-[max(36rem,min(56.25vw,max(40rem,100svh_-_11.5rem)))]">
      <div className="page-width pt-9 pb-8 md:pt-14 md:pb-12 lg:relative lg:z-10 lg:pt-[4.125rem] lg:pb-10">
        <h1 className="type-display text-asphalt-900">
          <Copy text={hero.title} />
        </h1>
        <p className="type-lead mt-4.5 text-asphalt-600 lg:mt-5 lg:text-xl lg:text-asphalt-800 lg:leading-[1.6]">
          <Copy text={hero.lead} />
        </p>
        <p className="hero-facts">
          <strong>
            {hero.prices.map((price) => (
              <span key={price}>{`${price} `}</span>
            ))}
          </strong>
        </p>
        <div className="mt-6 flex flex-col items-start gap-2.5 sm:flex-row sm:flex-wrap sm:items-center md:gap-3 lg:mt-7">
          <ButtonLink href={formHref} size="lg" className="w-full sm:w-auto">
            {hero.apply}
          </ButtonLink>
          <ButtonLink
            href={smsHref(phone)}
            variant="outline"
            size="lg"
            icon={MessageIcon}
            className="button-on-picture w-full sm:w-auto"
          >
            {hero.sms}
          </ButtonLink>
          <a href="/gallery" className="hero-link text-link">
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
