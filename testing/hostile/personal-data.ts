/** Searches for personal data where none may be: logs, addresses, files beside the database. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { VALUES } from "#testing/browser/form.ts";

const digits = VALUES.phone.replaceAll("-", "");

/**
 * Every form of the personal data that tests enter. The site's own logs are English, so any Hangul in them came from a
 * visitor.
 */
const PERSONAL = new RegExp(
  `[가-힣]|${VALUES.phone}|${digits}|${digits.slice(1)}|%(EA|EB|EC|ED)%[89AB]`,
  "i",
);

export function findPersonalData(text: string): string | undefined {
  const found = PERSONAL.exec(text);
  return found ? text.slice(Math.max(0, found.index - 60), found.index + 60) : undefined;
}

/** The files below a folder that contain any of these texts, compared byte by byte. */
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
