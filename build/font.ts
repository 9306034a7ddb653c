/**
 * Cuts the site's font into files: the characters of the site's own texts and of common names, and the rest of the
 * Korean syllables, for the owner's settings and for what visitors type. Any other character appears in a font of the
 * device.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { collectFontCharacters, restSyllables } from "#build/font-characters.ts";

const FONT_URL = import.meta.resolve("pretendard/dist/web/variable/woff2/PretendardVariable.woff2");
const OUTPUT_FOLDER = "app/fonts";

const source = readFileSync(fileURLToPath(FONT_URL));
/** `tnum`: digits of equal width. `kern`: closer pairs of letters. */
const options = { keepFeatures: ["tnum", "kern"], noHinting: true };

const characters = await collectFontCharacters();
mkdirSync(OUTPUT_FOLDER, { recursive: true });

async function writeFont(name: string, text: string): Promise<number> {
  const font = await subsetFont(source, text, {
    ...options,
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 800, default: 400 } },
  });
  writeFileSync(`${OUTPUT_FOLDER}/font-${name}.woff2`, font);
  return font.length / 1024;
}

const faces: string[] = [];

/** `range`: the browser loads the file only for a page with a character in this range. */
function addFace(family: string, name: string, range = ""): void {
  faces.push(`@font-face {
  font-family: "${family}";
  src: url("./font-${name}.woff2") format("woff2");
  font-weight: 400 800;
  font-display: swap;${range && `\n  unicode-range: ${range};`}
}
`);
}

// tailwind.config.ts lists the families in order: a browser loads a file only if the ones before it lack a character.
for (const [name, text] of Object.entries(characters)) {
  const kilobytes = (await writeFont(name, text)).toFixed(1);
  console.info(`${OUTPUT_FOLDER}/font-${name}.woff2: ${text.length} characters, ${kilobytes} KB`);
  addFace(`Site ${name}`, name);
}

const rest = restSyllables(Object.values(characters).join(""));
for (const [part, text] of rest.entries()) {
  await writeFont(`rest-${part}`, text);
  const codes = [text.at(0), text.at(-1)].map((each) => each?.charCodeAt(0).toString(16));
  addFace("Site rest", `rest-${part}`, `U+${codes.join("-")}`);
}
console.info(
  `${OUTPUT_FOLDER}/font-rest-….woff2: ${rest.join("").length} characters in ${rest.length} files`,
);

/** Width of a Korean syllable in the fallback font, Noto Sans KR, in em. */
const FALLBACK_WIDTH = 0.92;

/** CSS descriptors in percent make the fallback font as large as the site's font, so that no text moves. */
async function fallbackMeasures(): Promise<string> {
  const font = await subsetFont(source, "가", {
    ...options,
    targetFormat: "truetype",
    variationAxes: { wght: 400 },
  });
  const table = (tag: string) => font.readUInt32BE(font.indexOf(tag, 12, "latin1") + 8);
  const unitsPerEm = font.readUInt16BE(table("head") + 18);
  const [ascent = 0, descent = 0, gap = 0] = [4, 6, 8].map(
    (at) => font.readInt16BE(table("hhea") + at) / unitsPerEm,
  );
  // hmtx has four bytes for each width: of the glyph for missing characters, then of a syllable, if the two differ.
  const isOneWidth = font.readUInt16BE(table("hhea") + 34) === 1;
  const width = font.readUInt16BE(table("hmtx") + (isOneWidth ? 0 : 4)) / unitsPerEm;
  const size = Math.round((100 * width) / FALLBACK_WIDTH);
  const scaled = (measure: number) => Math.round((1_000 * measure) / (size / 100)) / 10;
  return `  size-adjust: ${size}%;
  ascent-override: ${scaled(ascent)}%;
  descent-override: ${scaled(-descent)}%;
  line-gap-override: ${scaled(gap)}%;`;
}

// The Korean fonts of Android and Windows, fitted to the measures of our font.
faces.push(`@font-face {
  font-family: "Site fallback";
  src: local("Noto Sans KR"), local("Noto Sans CJK KR"), local("Malgun Gothic");
${await fallbackMeasures()}
}
`);
writeFileSync(`${OUTPUT_FOLDER}/faces.css`, faces.join("\n"));

const bold = await subsetFont(source, Object.values(characters).join(""), {
  ...options,
  targetFormat: "truetype",
  variationAxes: { wght: 800 },
});
writeFileSync(`${OUTPUT_FOLDER}/preview.ttf`, bold);
