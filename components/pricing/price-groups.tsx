import { PriceTicket } from "#components/pricing/price-ticket.tsx";
import { offers } from "#lib/content/prices.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";

const GROUP_CLASSES = {
  own: { span: "", columns: "" },
  training: { span: "lg:col-span-2", columns: "md:grid-cols-2" },
} as const;

/** The heading `h2` means that the first ticket is in the first screen, so its picture is loaded at once. */
export function PriceGroups({ heading: Heading }: { heading: "h2" | "h3" }) {
  return (
    <div className="price-groups">
      {priceBlock.groups.map(({ id, title }) => (
        <div key={id} className={`price-group ${GROUP_CLASSES[id].span}`}>
          <div className="flex items-center gap-4">
            <Heading className="ticket-group">{title}</Heading>
            <span
              aria-hidden
              className="h-1 flex-1 [scale:-1_1] text-asphalt-900 dashes-[40px]/60"
            />
          </div>
          <ul
            className={`mt-4 grid flex-1 grid-cols-1 gap-4 md:gap-6 ${GROUP_CLASSES[id].columns}`}
          >
            {offers
              .filter((offer) => offer.group === id)
              .map((offer) => (
                <PriceTicket
                  key={offer.id}
                  offer={offer}
                  heading={Heading === "h2" ? "h3" : "h4"}
                  eager={Heading === "h2" && offer === offers[0]}
                />
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
