import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Command, UsageFault, withStore } from "#cli/applications/command.ts";
import { BOM, csvLine, inertCell } from "#cli/applications/csv.ts";
import { FILTER_HELP, FILTER_OPTIONS, filterIn } from "#cli/applications/filter.ts";
import { newFile } from "#cli/applications/new-file.ts";
import { STATE_WORDS, SUSPICION_WORDS, TRANSPORT_WORDS } from "#cli/applications/words.ts";
import { say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { FollowedApplication } from "#lib/application/delivery.ts";
import { CAR_TYPES, DAY_TYPES, GENDERS, labelOf, TIME_SLOTS } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";

/** The columns, and what of an application stands in each. */
const COLUMNS: Record<string, (followed: FollowedApplication) => string | number> = {
  접수번호: ({ applicationId }) => formatApplicationId(applicationId),
  "접수 시각": ({ submittedAt }) => timeOf(submittedAt),
  이름: ({ application }) => inertCell(application.name),
  전화번호: ({ application }) => inertCell(formatPhone(application.phone)),
  성별: ({ application }) => labelOf(GENDERS, application.gender),
  나이: ({ application }) => application.age,
  "연수 지역": ({ application }) => inertCell(application.region),
  "희망 날짜": ({ application }) => inertCell(application.preferredDate),
  요일: ({ application }) => labelOf(DAY_TYPES, application.dayType),
  시간대: ({ application }) => labelOf(TIME_SLOTS, application.timeSlot),
  "연수 차량": ({ application }) => labelOf(CAR_TYPES, application.carType),
  "남기신 말씀": ({ application }) => inertCell(application.message),
  신청서: ({ channel }) => TRANSPORT_WORDS[channel],
  상태: ({ state }) => STATE_WORDS[state],
  "끝난 시각": ({ settledAt }) => (settledAt === undefined ? "" : timeOf(settledAt)),
  "자동 입력 의심": ({ suspicion }) => (suspicion ? SUSPICION_WORDS[suspicion] : ""),
};

/** All applications as a table that Excel opens. */
export const exportCsv: Command = {
  usage: "export 파일.csv",
  does: "신청을 엑셀에서 여는 표로 저장",
  options: FILTER_HELP,

  async run(args, config) {
    const options = FILTER_OPTIONS;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [typed] = positionals;
    if (typed === undefined || positionals.length > 1) throw new UsageFault();
    const file = resolve(typed);
    const filter = filterIn(values, Date.now());
    const found = await withStore(config, (store) => store.list(filter));
    const lines = [Object.keys(COLUMNS), ...found.toReversed().map(rowOf)].map(csvLine);
    await newFile(file, (aside) => appendFile(aside, BOM + lines.join("")));
    say(`신청 ${found.length}건을 저장했습니다: ${file}`);
    say(
      "개인정보가 들어 있습니다. 다 쓰면 지워 주세요. 보관 기간이 지나도 이 파일은 저절로 지워지지 않습니다.",
    );
    return 0;
  },
};

function rowOf(followed: FollowedApplication): (string | number)[] {
  return Object.values(COLUMNS).map((cell) => cell(followed));
}

/** `2026-12-01 09:30`, which Excel takes for a time. */
function timeOf(time: number): string {
  return seoulIso(time).slice(0, 16).replace("T", " ");
}
