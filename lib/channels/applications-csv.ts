/** Applications as a CSV file for Excel (RFC 4180), in which no value becomes a formula. */
import { formatApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, type FieldName, ownerFieldLabel } from "#lib/application/fields.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { cleanText } from "#lib/application/text.ts";
import { fieldText } from "#lib/channels/owner-view.ts";
import { CHANNEL_WORDS, SUSPICION_WORDS, stateWord } from "#lib/channels/words.ts";
import type { ApplicationWithState } from "#lib/storage/queries/applications.ts";

/** The byte-order mark tells Excel that the file is UTF-8. */
const BOM = "\ufeff";

/** What a spreadsheet would calculate, or turn into a number or a date: `=1+1`, `01012345678`, `3/4`. */
const CONVERTED_BY_SHEET_PATTERN = /^[=+\-@\u2212\d]/;
/** The site's own dates, times, application and phone numbers, which a spreadsheet reads as they are meant. */
const SITE_NOTATION_PATTERN =
  /^(?:\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|[\dA-Z]{4}-[\dA-Z]{4}|\d{2,4}-\d{3,4}-\d{4})$/;

type CellOf = (tracked: ApplicationWithState) => string | number;

const fieldColumn = (field: FieldName): [string, CellOf] => [
  ownerFieldLabel(field),
  ({ application }) => (field === "age" ? application.age : fieldText(field, application)),
];

const COLUMNS: Record<string, CellOf> = {
  접수번호: ({ applicationId }) => formatApplicationId(applicationId),
  "접수 시각": ({ submittedAt }) => formatExcelTime(submittedAt),
  ...Object.fromEntries(FIELD_NAMES.map(fieldColumn)),
  신청서: ({ route }) => (route === "sms" ? "홈" : "연수 신청"),
  "받은 방법": ({ channel }) => (channel ? CHANNEL_WORDS[channel] : ""),
  상태: stateWord,
  "끝난 시각": ({ finishedAt }) => (finishedAt === undefined ? "" : formatExcelTime(finishedAt)),
  "연락한 시각": ({ calledAt }) => (calledAt === undefined ? "" : formatExcelTime(calledAt)),
  "자동 입력 의심": ({ suspicion }) => (suspicion ? SUSPICION_WORDS[suspicion] : ""),
};

export function applicationsCsv(
  applications: readonly ApplicationWithState[],
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
  // Full-width characters begin a formula too.
  const isConverted = CONVERTED_BY_SHEET_PATTERN.test(clean.normalize("NFKC"));
  return isConverted && !SITE_NOTATION_PATTERN.test(clean) ? `'${clean}` : clean;
}

/** `2026-12-01 09:30`, which Excel reads as a time. */
const formatExcelTime = (time: number) => seoulIso(time).slice(0, 16).replace("T", " ");
