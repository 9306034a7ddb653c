import { config } from "#lib/config.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";

export function AcademyRegistration({ className = "text-asphalt-600" }) {
  const { academyRegistration } = config();
  return (
    academyRegistration && (
      <p className={`type-helper ${className}`}>
        {priceBlock.registration}{" "}
        <span className="inline-block wrap-anywhere">{academyRegistration}</span>
      </p>
    )
  );
}
