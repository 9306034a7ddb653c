import { priceBlock } from "#lib/content/pricing.ts";

/** That this is a registered academy, where a visitor decides; without a registration nothing is claimed. */
export function Registration({ number }: { number: string | undefined }) {
  if (number === undefined) return null;
  return (
    <p className="type-small text-asphalt-600">
      {priceBlock.registration} <span className="inline-block">{number}</span>
    </p>
  );
}
