/** A registered fact of the business, as configured. */
export interface BusinessFact {
  label: string;
  value: string;
}

/** The registered facts that are known, in one small line. */
export function BusinessFacts({ facts }: { facts: readonly BusinessFact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="mb-2 flex flex-wrap gap-x-5 gap-y-1">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-asphalt-350">{label}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
