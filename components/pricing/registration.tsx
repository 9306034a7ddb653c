import { config } from "#lib/config.ts";
import { priceBlock } from "#lib/content/pricing.ts";

/** That this is a registered academy, where a visitor decides; without a registration nothing is claimed. */
export function Registration() {
  const { academyRegistration } = config();
  return (
    academyRegistration && (
      <p className="type-small text-asphalt-600">
        {priceBlock.registration} <span className="inline-block">{academyRegistration}</span>
      </p>
    )
  );
}
