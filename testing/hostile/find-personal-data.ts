/** Searches for personal data where none may be: in logs, addresses and files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLE_VALUES } from "#testing/browser/form.ts";
import { CANARY_TRACES } from "#testing/hostile/canary-person.ts";

const { name, phone, message } = SAMPLE_VALUES;
const digits = phone.replaceAll("-", "");
/** What the canary and the person of SAMPLE_VALUES enter, in the spellings of rows, logs and addresses. */
const TRACES = [name, phone, digits.slice(1), ...message.split("\n"), ...CANARY_TRACES].flatMap(
  (trace) => [trace, encodeURIComponent(trace)],
);

export function findPersonalData(text: string): string | undefined {
  const trace = TRACES.find((each) => text.includes(each));
  if (trace === undefined) return undefined;
  const at = text.indexOf(trace);
  return text.slice(Math.max(0, at - 60), at + trace.length + 60);
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
