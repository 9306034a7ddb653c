/**
 * Cuts Pretendard down to the characters of the site's own texts, in files by when they are needed: a phone
 * waits only for what the pages say. Other characters that a visitor types use the phone's own Korean font.
 * It runs before every build; the files are not committed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import subsetFont from "subset-font";
import { fontCharacters } from "#build/font-characters.ts";

const SOURCE = "node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2";
const FOLDER = "app/fonts";

const characters = await fontCharacters();
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(characters)) {
  const font = await subsetFont(readFileSync(SOURCE), text, {
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 800, default: 400 } },
    // Even figures and kerning; no text of the site uses another feature.
    keepFeatures: ["tnum", "kern"],
    noHinting: true,
  });
  writeFileSync(`${FOLDER}/pretendard-${name}.woff2`, font);
  const kilobytes = (font.length / 1024).toFixed(1);
  console.info(`${FOLDER}/pretendard-${name}.woff2: ${text.length} characters, ${kilobytes} KB`);
}

// What draws the preview pictures knows neither woff2 nor variable fonts.
for (const weight of [700, 800]) {
  const font = await subsetFont(readFileSync(SOURCE), Object.values(characters).join(""), {
    targetFormat: "truetype",
    variationAxes: { wght: weight },
    keepFeatures: ["tnum", "kern"],
    noHinting: true,
  });
  writeFileSync(`${FOLDER}/preview-${weight}.ttf`, font);
}
