import { AcademyRegistration } from "#components/pricing/academy-registration.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { NewTabIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { TickList } from "#components/ui/tick-list.tsx";
import { config } from "#lib/config.ts";
import { newTabLabel, prefilledFormHref } from "#lib/content/links.ts";
import {
  calculateSaving,
  formatHourlyPrice,
  formatWon,
  formatWonDigits,
  type Offer,
} from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";
import { fillPlaceholders } from "#lib/content/text-notation.ts";

const BACKDROPS = {
  lane: "bg-lane-100",
  asphalt: "bg-asphalt-100",
  sign: "bg-sign-100",
} as const;

interface PriceTicketProps {
  offer: Offer;
  heading: "h3" | "h4";
  eager: boolean;
}

export function PriceTicket({ offer, heading: Heading, eager }: PriceTicketProps) {
  return (
    <li className={`ticket ${offer.group === "own" ? "ticket-flat" : ""}`}>
      <Photo
        picture={offer.picture}
        sizes="(width < 48rem) 100vw, (width < 64rem) 50vw, 24rem"
        eager={eager}
        className={`ticket-picture ${BACKDROPS[offer.backdrop]}`}
      />
      {offer.isMostChosen && <p className="ticket-badge">{priceBlock.badge}</p>}
      <div className="ticket-words">
        <div className="ticket-upper">
          <Heading className="type-h3 text-asphalt-900">{offer.title}</Heading>
          <p className="type-small mt-1.25 text-balance text-asphalt-600">
            <PageText text={offer.description} />
          </p>
        </div>
        <div aria-hidden className="perforation">
          <span className="notch -left-8" />
          <span className="notch -right-8" />
        </div>
        <TicketLower offer={offer} />
      </div>
    </li>
  );
}

function TicketLower({ offer }: { offer: Offer }) {
  const saving = calculateSaving(offer);
  return (
    <div className="ticket-lower">
      {saving > 0 && (
        <p className="tabular flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-asphalt-600">
            <span className="sr-only">{priceBlock.listPrice} </span>
            <s>{formatWon(offer.listPrice)}</s>
          </span>
          <span className="font-bold text-small text-sign-800">
            {fillPlaceholders(priceBlock.saving, { amount: formatWon(saving) })}
          </span>
        </p>
      )}
      <p className="ticket-price">
        {saving > 0 && <span className="sr-only">{priceBlock.price} </span>}
        {formatWonDigits(offer.price)}
        <span className="ticket-won">{priceBlock.won}</span>
      </p>
      <AcademyRegistration className="ticket-plate" />
      <p className="ticket-hours">
        <span className="font-bold text-asphalt-900">{priceBlock.hours}</span>
        {fillPlaceholders(priceBlock.hourly, { amount: formatHourlyPrice(offer) })}
        <span aria-hidden className="hour-dashes" />
      </p>
      <TickList
        facts={priceBlock.ticks[offer.group].flatMap((fact) => config()[fact] ?? [])}
        className="type-small mt-4 grid gap-1.5 text-asphalt-700"
      />
      <ButtonLink
        href={prefilledFormHref({ car: offer.id })}
        target="_blank"
        // The new tab gets a copy of what was typed in this one. Its site is our own.
        rel="opener"
        iconAfter={NewTabIcon}
        className="mt-4.5 w-full"
      >
        {offer.apply}
        <span className="sr-only"> {newTabLabel}</span>
      </ButtonLink>
    </div>
  );
}
