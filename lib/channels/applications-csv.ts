/** Applications as a table that Excel opens. */
import { formatApplicationId } from "#lib/application/application-id.ts";
import { FIELD_NAMES, ownerLabelOf } from "#lib/application/fields.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import { BOM, csvLine, inertCell } from "#lib/channels/csv.ts";
import { fieldText } from "#lib/channels/owner-view.ts";
import { CARRIER_WORDS, SUSPICION_WORDS, stateWord } from "#lib/channels/words.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";

type Cell = (followed: FollowedApplication) => string | number;

/** An age needs no mark of a text. */
const FIELD_COLUMNS: Record<string, Cell> = Object.fromEntries(
  FIELD_NAMES.map((field) => [
    ownerLabelOf(field),
    ({ application }) =>
      field === "age" ? application.age : inertCell(fieldText(field, application)),
  ]),
);

/** The columns, and what of an application stands in each. */
const COLUMNS: Record<string, Cell> = {
  접수번호: ({ applicationId }) => formatApplicationId(applicationId),
  "접수 시각": ({ submittedAt }) => timeOf(submittedAt),
  ...FIELD_COLUMNS,
  신청서: ({ route }) => (route === "sms" ? "홈" : "연수 신청"),
  "받은 방법": ({ carrier }) => (carrier ? CARRIER_WORDS[carrier] : ""),
  상태: stateWord,
  "끝난 시각": ({ settledAt }) => (settledAt === undefined ? "" : timeOf(settledAt)),
  "자동 입력 의심": ({ suspicion }) => (suspicion ? SUSPICION_WORDS[suspicion] : ""),
};
const ALL = Object.keys(COLUMNS);

/** The whole file, a row an application, in their order. */
export function applicationsCsv(
  applications: readonly FollowedApplication[],
  columns: readonly string[] = ALL,
): string {
  const rows = applications.map((followed) =>
    columns.map((name) => COLUMNS[name]?.(followed) ?? ""),
  );
  return BOM + [columns, ...rows].map(csvLine).join("");
}

/** `2026-12-01 09:30`, which Excel takes for a time. */
function timeOf(time: number): string {
  return seoulIso(time).slice(0, 16).replace("T", " ");
}
