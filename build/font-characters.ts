/**
 * Finds the characters of the site's own texts in the sources, because the build needs the fonts before it has pages.
 * The test e2e/pages.spec.ts compares the characters with the built pages.
 */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

/** Files whose texts only search engines read. */
const UNSEEN_FILES = ["structured-data.ts"];
const UNSEEN_PROPERTIES = [
  "alt",
  "code",
  "src",
  "FIELD_NAMES",
  "FORM_NAMES",
  "HONEYPOT_FIELD",
  "pages",
];
/** Characters of the texts' notation, such as `⏎` and `{placeholders}`, which no page shows. */
const NOTATION_MARK_PATTERN = /[[\]{}⏎|%]/;
/** Characters of phone numbers and dates, which come from the settings. */
const NUMBERS = "0123456789-()";
const DATES = "년월일화수목금토";

const PRIVACY_FILES = ["policy.ts", "privacy-page.ts"];
/** Files and properties whose texts the pages show only after an action of the visitor, or after a failure. */
const FILES_SHOWN_AFTER_ACTION = [
  "application-result.ts",
  "form-result.ts",
  "error-pages.ts",
  "picture.ts",
  "kept-box.ts",
];
const PROPERTIES_SHOWN_AFTER_ACTION = ["busy", "cancel", "close", "lightbox", "menu", "pastDate"];
const PRINTABLE_ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

/** All sentences of the site are in these files or in the settings. Every character outside ASCII counts. */
const SOURCES = "{app,components,lib/{application,content,browser}}/**/*.{ts,tsx}";

/** The syllables of common given names, and of the family names of 98 % of Koreans. */
const NAME_SYLLABLES = [
  "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진나엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국어은편용예경봉사부라",
  "가건겸결관광교규균근다단달담대덕동두란람랑래려련령례로록루률름리린림만매면무미범별병보복빈빛산삼상샘생섭세솔솜송수숙순슬승시실아애언열영온완요욱운웅월율윤은을음의인일자재점정종준중지찬창철청초춘충치태택평필하학해향혁현형혜호화환회효후훈휘희",
].join("");

/** The syllables of KS X 1001, the Korean standard of 1987: rows 16 to 40, with 94 syllables each. */
const STANDARD_SYLLABLES = new TextDecoder("euc-kr").decode(
  Uint8Array.from({ length: 25 * 94 * 2 }, (_, index) =>
    index % 2 === 0 ? 0xb0 + Math.floor(index / 188) : 0xa1 + (((index - 1) / 2) % 94),
  ),
);

/** Number of files for the rest of the syllables. More files are smaller, but cost more lines of the style sheet. */
const REST_FILE_COUNT = 16;

/** The syllables that no other file has, by code, in parts of equal length. */
export function restSyllables(others: string): string[] {
  const rest = [...STANDARD_SYLLABLES].filter((each) => !others.includes(each)).sort();
  const length = Math.ceil(rest.length / REST_FILE_COUNT);
  return Array.from({ length: REST_FILE_COUNT }, (_, part) =>
    rest.slice(part * length, (part + 1) * length).join(""),
  );
}

function collectCharacters(value: unknown, characters: Set<string>): void {
  if (typeof value === "string") {
    for (const character of value)
      if (!NOTATION_MARK_PATTERN.test(character)) characters.add(character);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value))
      if (!UNSEEN_PROPERTIES.includes(name) && !PROPERTIES_SHOWN_AFTER_ACTION.includes(name))
        collectCharacters(part, characters);
  }
}

/** Returns the characters of each font file. `privacy` and `later` leave out those of `pages`. */
export async function collectFontCharacters() {
  const pages = new Set(NUMBERS + DATES);
  const privacy = new Set<string>();

  const shownFirst = globSync("lib/content/*.ts", { exclude: ["**/*.test.ts"] })
    .filter(
      (file) =>
        ![...UNSEEN_FILES, ...PRIVACY_FILES, ...FILES_SHOWN_AFTER_ACTION].includes(basename(file)),
    )
    .concat("lib/application/fields.ts");
  for (const file of shownFirst) collectCharacters(await import(`../${file}`), pages);
  for (const file of PRIVACY_FILES)
    collectCharacters(await import(`../lib/content/${file}`), privacy);
  const sources = globSync(SOURCES, { exclude: ["**/*.test.ts"] }).map((file) =>
    readFileSync(file),
  );
  const later = new Set([
    ...PRINTABLE_ASCII,
    ...NAME_SYLLABLES,
    ...(sources.join("").match(/[^\0-\x7f]/g) ?? []),
  ]);
  const beyondPages = (characters: Set<string>) =>
    [...characters]
      .filter((each) => !NOTATION_MARK_PATTERN.test(each) && !pages.has(each))
      .join("");
  return {
    pages: [...pages].join(""),
    privacy: beyondPages(privacy),
    later: beyondPages(later),
  };
}
