import { CheckIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";

interface RoadSign {
  readonly name: string;
  readonly english?: string;
  readonly text?: string | undefined;
  /** If set, a check mark stands on the sign, for which screen readers read this word. */
  readonly doneLabel?: string;
}

/** Signs beside a road: down the left side of a narrow container, across the window in a wide one. */
export function RoadSigns({
  signs,
  heading: Heading = "h3",
}: {
  signs: readonly RoadSign[];
  heading?: "h2" | "h3";
}) {
  return (
    <div className="@container">
      <div className="road-place">
        <div aria-hidden className="road" />
        <ol className="road-list">
          {signs.map(({ name, english, text, doneLabel }) => (
            <li key={name} className="road-step">
              <div className="road-sign keyline">
                <Heading className="road-name">
                  {name}
                  {doneLabel && (
                    <>
                      <CheckIcon className="ml-2 inline text-lane-500" />
                      <span className="sr-only">{doneLabel}</span>
                    </>
                  )}
                </Heading>
                {english && (
                  <p lang="en" className="road-english">
                    {english}
                  </p>
                )}
                <span aria-hidden className="road-post" />
              </div>
              {text && <PageText as="p" className="road-text" text={text} />}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
