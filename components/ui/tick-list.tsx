import { CheckIcon } from "#components/ui/icons.tsx";

/** Facts that the owner has stated, each with a check mark. Nothing without a fact. */
export function TickList({ facts, className }: { facts: readonly string[]; className: string }) {
  if (facts.length === 0) return null;
  return (
    <ul className={className}>
      {facts.map((fact) => (
        <li key={fact} className="flex gap-2">
          <CheckIcon className="mt-0.5 text-sign-700" />
          <span className="min-w-0">{fact}</span>
        </li>
      ))}
    </ul>
  );
}
