/**
 * Cuts Pretendard down to the characters that the site itself writes, so that a phone loads one small file:
 * those of the pages, and in a second file those that appear only after a press. What a visitor types beyond
 * them falls to the phone's own Korean font. Run before every build; the files are not committed.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import subsetFont from "subset-font";

const SOURCE = "node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2";
const FOLDER = "app/fonts";
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

/** Said to search engines and link previews, which bring their own fonts. */
const UNSEEN = ["previews.ts", "search.ts", "structured-data.ts"];
/** What the pages do not say until a visitor has done something, by file. */
const LATER: Record<string, readonly string[]> = {
  "application-form.ts": ["failure", "success", "waiting"],
  "contact.ts": ["kept", "panel", "received"],
  "form-result.ts": ["formResultCopy"],
  "not-found.ts": ["failure"],
  "picture.ts": ["missingPicture"],
};

/** Every text in a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

const shown = new Set(ASCII);
const later = new Set<string>();
const files = globSync("lib/content/*.ts", { exclude: ["**/*.test.ts"] })
  .filter((file) => !UNSEEN.includes(basename(file)))
  .concat("lib/application/fields.ts");
for (const file of files) {
  const module: Record<string, unknown> = await import(`../${file}`);
  for (const [name, value] of Object.entries(module)) {
    const characters = LATER[basename(file)]?.includes(name) ? later : shown;
    for (const character of textsIn(value).join("")) characters.add(character);
  }
}

async function cut(name: string, characters: Iterable<string>): Promise<void> {
  const text = [...characters].sort().join("");
  const font = await subsetFont(readFileSync(SOURCE), text, {
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 800, default: 400 } },
    // Even figures and kerning; no text of the site uses another feature.
    keepFeatures: ["tnum", "kern"],
    noHinting: true,
  });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/${name}`, font);
  const kilobytes = (font.length / 1024).toFixed(1);
  console.info(`${FOLDER}/${name}: ${text.length} characters, ${kilobytes} KB`);
}

await cut("pretendard-subset.woff2", shown);
await cut(
  "pretendard-later.woff2",
  [...later].filter((character) => !shown.has(character)),
);
