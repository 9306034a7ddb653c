/**
 * Cuts the site's font down to the characters of the site's own texts. A phone waits for one file, with the characters
 * of the pages; later texts have another. Other characters that a visitor types use the phone's own Korean font.
 * The font is cut before every build, and its files are not committed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { fontCharacters } from "#build/font-characters.ts";

/** The font: a variable one. Its measures in app/globals.css change with it. */
const SOURCE = import.meta.resolve("pretendard/dist/web/variable/woff2/PretendardVariable.woff2");
const FOLDER = "app/fonts";

const source = readFileSync(fileURLToPath(SOURCE));
/** The features of the font that the site uses: digits of equal width, and kerning. */
const options = { keepFeatures: ["tnum", "kern"], noHinting: true };

const characters = await fontCharacters();
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(characters)) {
  const font = await subsetFont(source, text, {
    ...options,
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 800, default: 400 } },
  });
  writeFileSync(`${FOLDER}/font-${name}.woff2`, font);
  const kilobytes = (font.length / 1024).toFixed(1);
  console.info(`${FOLDER}/font-${name}.woff2: ${text.length} characters, ${kilobytes} KB`);
}

// The renderer of the preview pictures reads neither woff2 nor variable fonts.
const bold = await subsetFont(source, Object.values(characters).join(""), {
  ...options,
  targetFormat: "truetype",
  variationAxes: { wght: 800 },
});
writeFileSync(`${FOLDER}/preview.ttf`, bold);
