/** Searches for personal data where none may be: in logs, addresses and files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE_VALUES } from "#testing/browser/form.ts";

const digits = SAMPLE_VALUES.phone.replaceAll("-", "");

/** Matches the personal data that tests enter. Any Hangul counts, because the site's own log lines have none. */
const PERSONAL = new RegExp(
  `[가-힣]|${SAMPLE_VALUES.phone}|${digits}|${digits.slice(1)}|%(EA|EB|EC|ED)%[89AB]`,
  "i",
);

export function findPersonalData(text: string): string | undefined {
  const found = PERSONAL.exec(text);
  return found ? text.slice(Math.max(0, found.index - 60), found.index + 60) : undefined;
}

export function findFilesContaining(folder: string, texts: readonly string[]): string[] {
  const needles = texts.map((text) => Buffer.from(text));
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return needles.some((needle) => bytes.includes(needle));
    });
}
