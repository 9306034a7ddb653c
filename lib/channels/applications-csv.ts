/** Applications as a CSV file for Excel (RFC 4180), in which no value becomes a formula. */
import { formatApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, type FieldName, ownerFieldLabel } from "#lib/application/fields.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { cleanText } from "#lib/application/text.ts";
import { fieldText } from "#lib/channels/owner-view.ts";
import { CHANNEL_WORDS, SUSPICION_WORDS, stateWord } from "#lib/channels/words.ts";
import type { TrackedApplication } from "#lib/storage/queries/applications.ts";

/** The byte-order mark tells Excel that the file is UTF-8. */
const BOM = "\ufeff";

/** Characters that begin a formula, in ASCII and full width. */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]/u;
/** Values that a spreadsheet turns into numbers, without leading zeros or the last digits. */
const NUMBER = /^[(₩$€£¥￦]*[\d.,]*\d\s*(?:e[+-]?\d+)?[)%]?$/i;
/** Values that a spreadsheet turns into dates, times or fractions: `3/4`, `10:30`, `3월 4일`, `오전 9시`. */
const DATE = /^(?:(?:오전|오후)\s*)?\d[\d\s/.:,년월일시분초-]*(?:[ap]m?)?$/i;
const MONTH =
  /^(?=.*\d)[\d\s./-]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\d\s.,/-]*$/i;
const LOGICAL = /^(?:true|false)$/i;
/** Dates and times, which a spreadsheet should convert, and phone numbers, which a spreadsheet leaves unchanged. */
const UNESCAPED = /^(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|\d{4}-\d{4}|\d{2,4}-\d{3,4}-\d{4})$/;

type Cell = (tracked: TrackedApplication) => string | number;

const fieldColumn = (field: FieldName): [string, Cell] => [
  ownerFieldLabel(field),
  ({ application }) => (field === "age" ? application.age : fieldText(field, application)),
];

const COLUMNS: Record<string, Cell> = {
  접수번호: ({ applicationId }) => formatApplicationId(applicationId),
  "접수 시각": ({ submittedAt }) => timeOf(submittedAt),
  ...Object.fromEntries(FIELD_NAMES.map(fieldColumn)),
  신청서: ({ route }) => (route === "sms" ? "홈" : "연수 신청"),
  "받은 방법": ({ channel }) => (channel ? CHANNEL_WORDS[channel] : ""),
  상태: stateWord,
  "끝난 시각": ({ finishedAt }) => (finishedAt === undefined ? "" : timeOf(finishedAt)),
  "자동 입력 의심": ({ suspicion }) => (suspicion ? SUSPICION_WORDS[suspicion] : ""),
};

export function applicationsCsv(
  applications: readonly TrackedApplication[],
  columns: readonly string[] = Object.keys(COLUMNS),
): string {
  const rows = applications.map((tracked) => columns.map((name) => COLUMNS[name]?.(tracked) ?? ""));
  return BOM + [columns, ...rows].map(csvLine).join("");
}

export function csvLine(cells: readonly (string | number)[]): string {
  const texts = cells.map((cell) => (typeof cell === "number" ? `${cell}` : escapeCell(cell)));
  return `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")}\r\n`;
}

/** A leading apostrophe keeps a spreadsheet from calculating or converting a value. */
function escapeCell(text: string): string {
  const clean = cleanText(text);
  const narrow = clean.normalize("NFKC").trim();
  const isConverted = [NUMBER, DATE, MONTH, LOGICAL].some((form) => form.test(narrow));
  const isFormula = FORMULA.test(text) || FORMULA.test(clean);
  return isFormula || (isConverted && !UNESCAPED.test(clean)) ? `'${clean}` : clean;
}

/** `2026-12-01 09:30`, which Excel reads as a time. */
const timeOf = (time: number) => seoulIso(time).slice(0, 16).replace("T", " ");
