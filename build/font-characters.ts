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
/** What the configuration fills in: numbers on every page, the address of a mailbox on /privacy. */
const NUMBERS = "0123456789-()";
/** What dates for people are made of. */
const DATES = "년월일화수목금토";
const MAILBOX = "abcdefghijklmnopqrstuvwxyz@._-";

/** What the four pages do not say until a visitor has done something, by file. */
const LATER: Record<string, readonly string[]> = {
  "application-form.ts": ["again", "busy", "cancel", "close", "dialog", "last", "pastDate"],
  "application-result.ts": [
    "dialogFailure",
    "failure",
    "kept",
    "panel",
    "receipt",
    "received",
    "refusal",
    "success",
  ],
  "form-result.ts": ["formResultCopy"],
  "gallery.ts": ["lightbox"],
  "layout.ts": ["menu"],
  "not-found.ts": ["failedPage", "notFound"],
  "picture.ts": ["missingPicture"],
  "waiting.ts": ["waiting"],
};
const PRINTABLE_ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** By file: of the four pages, of /privacy beyond them, and of what appears once a visitor has done something or types. */
export async function fontCharacters() {
  const [pages, privacy, later] = [
    new Set(NUMBERS + DATES),
    new Set(MAILBOX),
    new Set(PRINTABLE_ASCII),
  ];

  /** Collects the characters of every text in a value, at any depth; `names` are the keys that lead to it. */
  function note(value: unknown, file: string, names: readonly string[]): void {
    if (typeof value === "string") {
      const isLater = LATER[file]?.some((name) => names.includes(name));
      const place = file === "privacy.ts" ? privacy : isLater ? later : pages;
      for (const character of value) if (!MARKS.test(character)) place.add(character);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        if (!UNSEEN_NAMES.includes(name)) note(part, file, [...names, name]);
      }
    }
  }

  const files = globSync("lib/content/*.ts", { exclude: ["**/*.test.ts"] })
    .filter((file) => !UNSEEN.includes(basename(file)))
    .concat("lib/application/fields.ts");
  for (const file of files) note(await import(`../${file}`), basename(file), []);
  return {
    pages: sorted(pages),
    privacy: sorted(privacy, pages),
    later: sorted(later, pages),
  };
}

function sorted(characters: ReadonlySet<string>, elsewhere?: ReadonlySet<string>): string {
  return [...characters]
    .filter((character) => !elsewhere?.has(character))
    .sort()
    .join("");
}
