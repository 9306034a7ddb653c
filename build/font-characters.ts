/**
 * The characters of the site's own texts, by when they are needed. build/font.ts cuts its files to them. They are
 * read from the content and not from the built pages, because the build needs the font files;
 * e2e/pages.spec.ts compares the built pages with them.
 */
import { globSync } from "node:fs";
import { basename } from "node:path";

/** Read by search engines and link previews, which bring their own fonts. */
const UNSEEN = ["structured-data.ts"];
/** These names are not shown either: they are read out, or only known to the code. */
const UNSEEN_NAMES = ["alt", "code", "src", "FIELD_NAMES", "FORM_NAMES", "HONEYPOT_FIELD", "pages"];
/** How content marks line breaks and places. */
const MARKS = /[[\]{}⏎|%]/;
/** What the configuration fills in on every page. */
const NUMBERS = "0123456789-()";
/** What dates for people are made of. */
const DATES = "년월일화수목금토";

/** What the four pages do not say until a visitor has done something, and what /privacy says: files, and names in others. */
const LATER = [
  "application-result.ts",
  "form-result.ts",
  "not-found.ts",
  "picture.ts",
  "privacy.ts",
  "waiting.ts",
];
const LATER_NAMES = ["busy", "cancel", "close", "lightbox", "menu", "pastDate"];
const PRINTABLE_ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** By file: of the four pages, and beyond them of /privacy and of what a visitor's deeds bring or a visitor types. */
export async function fontCharacters() {
  const [pages, later] = [new Set(NUMBERS + DATES), new Set(PRINTABLE_ASCII)];

  /** Collects the characters of every text in a value, at any depth. */
  function note(value: unknown, place: Set<string>): void {
    if (typeof value === "string") {
      for (const character of value) if (!MARKS.test(character)) place.add(character);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        if (!UNSEEN_NAMES.includes(name)) note(part, LATER_NAMES.includes(name) ? later : place);
      }
    }
  }

  const files = globSync("lib/content/*.ts", { exclude: ["**/*.test.ts"] })
    .filter((file) => !UNSEEN.includes(basename(file)))
    .concat("lib/application/fields.ts");
  for (const file of files)
    note(await import(`../${file}`), LATER.includes(basename(file)) ? later : pages);
  const beyond = [...later].filter((character) => !pages.has(character));
  return { pages: [...pages].join(""), later: beyond.join("") };
}
