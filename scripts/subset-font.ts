/**
 * Cuts Pretendard down to the characters that the site itself writes (lib/content, lib/application and
 * ASCII), so that a phone loads one small file. What a visitor types beyond them falls to the phone's own
 * Korean font. Run before every build; the file is not committed.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import subsetFont from "subset-font";

const SOURCE = "node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2";
const TARGET = "app/fonts/pretendard-subset.woff2";
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("");

const written = globSync(["lib/content/**/*.ts", "lib/application/**/*.ts"], {
  exclude: ["**/*.test.ts"],
})
  .map((file) => readFileSync(file, "utf8"))
  .join("");
const characters = [...new Set(ASCII + written)].sort().join("");

const subset = await subsetFont(readFileSync(SOURCE), characters, {
  targetFormat: "woff2",
  variationAxes: { wght: { min: 400, max: 800, default: 400 } },
});
mkdirSync("app/fonts", { recursive: true });
writeFileSync(TARGET, subset);
console.info(`${TARGET}: ${characters.length} characters, ${Math.round(subset.length / 1024)} KB`);
