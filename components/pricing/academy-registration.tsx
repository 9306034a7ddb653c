import { config } from "#lib/config.ts";
import { priceBlock } from "#lib/content/pricing.ts";

export function AcademyRegistration() {
  const { academyRegistration } = config();
  return (
    academyRegistration && (
      <p className="type-helper mt-3 text-asphalt-600">
        {priceBlock.registration}{" "}
        <span className="inline-block wrap-anywhere">{academyRegistration}</span>
      </p>
    )
  );
}
