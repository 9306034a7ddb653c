import { Copy } from "#components/ui/copy.tsx";

interface RoadSign {
  readonly name: string;
  readonly english?: string;
  readonly text?: string | undefined;
}

/** Signs beside a road: down the left side of a phone, across the window from 1024 px. */
export function RoadSigns({ signs }: { signs: readonly RoadSign[] }) {
  return (
    <div className="road-place">
      <div aria-hidden className="road" />
      <ol className="road-list">
        {signs.map(({ name, english, text }) => (
          <li key={name} className="road-step">
            <div className="road-sign keyline">
              <h3 className="road-name">{name}</h3>
              {english && (
                <p lang="en" className="road-english">
                  {english}
                </p>
              )}
              <span aria-hidden className="road-post" />
            </div>
            {text && <Copy as="p" className="road-text" text={text} />}
          </li>
        ))}
      </ol>
    </div>
  );
}
