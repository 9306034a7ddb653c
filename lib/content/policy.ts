import { fillPlaceholders } from "#lib/content/copy.ts";

/**
 * A section of the privacy policy. The page states only what the configuration says: a line with an unfilled
 * `{placeholder}` is left out, and so is a section without lines.
 */
export interface PolicySection {
  readonly heading: string;
  /** The placeholder that this section is about: the section is left out while the placeholder has no value. */
  readonly needs?: string;
  /** A paragraph before the lines. */
  readonly intro?: string;
  /** Lines in the notation of copy.ts. A fact is written as `name | fact`. */
  readonly lines?: readonly string[];
}

/** Returns the sections and lines whose placeholders all have a value, filled in. */
export function fillSections(
  sections: readonly PolicySection[],
  placeholders: Readonly<Record<string, unknown>>,
) {
  const known = Object.entries(placeholders).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
  return sections
    .filter(({ needs }) => needs === undefined || needs in values)
    .map(({ heading, intro = "", lines = [] }) => ({
      heading,
      intro: fillPlaceholders(intro, values),
      lines: lines
        .map((line) => fillPlaceholders(line, values))
        .filter((line) => !/\{\w+\}/.test(line)),
    }))
    .filter(({ intro, lines }) => intro !== "" || lines.length > 0);
}
