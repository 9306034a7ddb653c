import { fill } from "#lib/content/copy.ts";

/** What may be so under one configuration and not under another. */
type Condition = "https" | "sms" | "processors";

/**
 * The shape of the privacy policy. A line with a `{place}` that the configuration does not fill is left
 * out, and so is a section that has no line left: the page says only what is known.
 */
export interface PolicyLine {
  /** Copy, with its notation and `{places}`. */
  readonly text: string;
  /** A line of facts has its name in front. */
  readonly term?: string;
  /** Shown only where this is so. */
  readonly when?: Condition;
  /** What pressing it does. */
  readonly link?: "call" | "mail";
}

export interface PolicySection {
  readonly heading: string;
  /** Shown only where this is so. */
  readonly when?: Condition;
  /** Sentences in front of the lines. */
  readonly intro?: readonly PolicyLine[];
  readonly lines?: readonly PolicyLine[];
}

/** What the running process was configured with, by the places' names. */
export interface PolicyFacts {
  readonly places: Readonly<Record<string, string | number | undefined>>;
  readonly holds: Readonly<Partial<Record<Condition, boolean>>>;
}

/** The sections and lines that hold under these facts, with their places filled. */
export function knownSections(
  sections: readonly PolicySection[],
  facts: PolicyFacts,
): PolicySection[] {
  const entries = Object.entries(facts.places);
  const values = Object.fromEntries(
    entries.flatMap(([place, value]) => (value === undefined ? [] : [[place, value]])),
  );
  const holds = ({ when }: { when?: Condition }) => when === undefined || facts.holds[when];
  const known = (lines: readonly PolicyLine[] = []) =>
    lines
      .filter(holds)
      .map((line) => ({ ...line, text: fill(line.text, values) }))
      .filter((line) => !/\{\w+\}/.test(line.text));

  return sections.filter(holds).flatMap((section) => {
    const [intro, lines] = [known(section.intro), known(section.lines)];
    return intro.length + lines.length === 0 ? [] : [{ ...section, intro, lines }];
  });
}
