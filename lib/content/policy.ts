import { fillPlaceholders } from "#lib/content/text-notation.ts";

/**
 * The page may state only what is configured. So a line with a placeholder that has no value is left out, and so is a
 * section that then has neither lines nor `intro`.
 */
export interface PolicySection {
  readonly heading: string;
  /** Name of a placeholder: while it has no value, the section is left out. */
  readonly needs?: string;
  readonly intro?: string;
  /** Lines in the notation of text-notation.ts. A fact is written as `name | fact`. */
  readonly lines?: readonly string[];
}

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
