import { beforeEach, expect, test, vi } from "vitest";
import type { Command } from "#cli/applications/command.ts";
import { doneCommand } from "#cli/applications/done.ts";
import { listCommand } from "#cli/applications/list.ts";
import { resendCommand } from "#cli/applications/resend.ts";
import { showCommand } from "#cli/applications/show.ts";
import { examineDatabase } from "#cli/doctor/database.ts";
import { MINUTE } from "#lib/application/durations.ts";
import { parseConfig } from "#lib/config.ts";
import { REPEAT_MAIL_AFTER_MS, SEARCH_PAUSES_MS } from "#lib/delivery/retry.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import { mailSettings } from "#testing/site/settings.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
  type TemporaryStore,
} from "#testing/storage/temporary-store.ts";

let said = "";
beforeEach(() => {
  // In another year, the printed dates would have a year, which the tests do not expect.
  vi.setSystemTime("2026-12-03T09:00:00+09:00");
  said = "";
  vi.spyOn(console, "info").mockImplementation((line) => {
    said += `${line}\n`;
  });
});

const APPLICATION_ID = "7K3MPQ9X";
const MAIL_SETTINGS = {
  SITE_URL: "https://practice.example",
  ...mailSettings({ host: "::1", port: 1 }),
};
const REJECTED: Answer = {
  outcome: "rejected",
  providerId: "<1@practice.example>",
  fault: { error: "554 5.7.1 no", advice: "받는 주소를 확인해 주세요.", about: "recipient" },
};
const NOT_SENT: Answer = {
  outcome: "not-sent",
  fault: { error: "no answer", advice: "메일 서버를 확인해 주세요.", about: "channel" },
};
const DELIVERED: Answer = { outcome: "delivered" };
const UNKNOWN: Answer = {
  outcome: "unknown",
  fault: { error: "no answer", advice: "메일함을 확인해 주세요.", about: "channel" },
};

type Env = Record<string, string>;
type Answers = Parameters<typeof deliverWith>[1];
const NOT_ARRIVING_PATTERNS = [
  /^20분째 아무것도 전달되지 않고/,
  /owner@practice\.example에 메일이 전달되지/,
];
const ON_ITS_WAY_PATTERN =
  /7K3M-PQ9X .* 도착 확인 중 \(메일\) [\s\S]*보냈고 도착 확인이나 나머지 발송을 기다리는 신청 1건/;
const FILED_PATTERN = /파일로 보관한 신청이 1건.*에 접수/;

const newStore = () => openTemporaryStore(() => APPLICATION_ID);
function configOf({ folder }: TemporaryStore, env: Env = MAIL_SETTINGS) {
  return parseConfig({ DATA_DIR: folder, ...env });
}
async function output(
  command: Command,
  words: string[],
  temporary: TemporaryStore,
  options: Record<string, unknown> = { limit: "20" },
): Promise<string> {
  said = "";
  await command.run(words, configOf(temporary), options);
  return said;
}
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;

test.for<[what: string, ends: Answers, env: Env, urgent: RegExp[], rest: RegExp]>([
  [
    "an undeliverable application",
    { mail: REJECTED },
    MAIL_SETTINGS,
    NOT_ARRIVING_PATTERNS,
    /7K3M-PQ9X .* 대기 /,
  ],
  [
    "a delivered application",
    { mail: DELIVERED },
    MAIL_SETTINGS,
    [],
    /7K3M-PQ9X .* 전달됨 \(메일\) /,
  ],
  [
    "an application on its way",
    { mail: { outcome: "accepted" } },
    MAIL_SETTINGS,
    [],
    ON_ITS_WAY_PATTERN,
  ],
  ["a local site's filed application", {}, {}, [FILED_PATTERN], /7K3M-PQ9X /],
])("list and doctor show %s", async ([, ends, env, urgent, rest]) => {
  await using temporary = newStore();
  await temporary.store.accept(aNewApplication({ route: "mail", now: minutesAgo(20) }));
  await deliverWith(temporary, ends, minutesAgo(20));
  const config = configOf(temporary, env);
  await listCommand.run([], config, { limit: "20" });
  const urgentLines = urgent.map((each) => expect.stringMatching(each));
  expect(said.split("\n").slice(0, urgent.length)).toEqual(urgentLines);
  expect(said).toMatch(rest);
  expect(said.includes("전달을 기다리는 신청이 없습니다.")).toBe(urgent.length === 0);
  const isWaiting = said.includes("신청 1건, 가장 오래된 것은 20분째 기다리고 있습니다.");
  expect(isWaiting).toBe(urgent === NOT_ARRIVING_PATTERNS);
  expect(said).not.toMatch(/false|undefined|NaN/);
  const { findings } = await examineDatabase(config);
  expect(findings.map(({ sentence }) => sentence).slice(0, -2)).toEqual(urgentLines);
});

test("list prints the chosen applications, the newest first", async () => {
  await using temporary = openTemporaryStore();
  const [older, newer] = ["2026-11-30T20:05:00Z", "2026-12-01T16:30:00Z"];
  await temporary.store.accept(aNewApplication({ now: Date.parse(older) }));
  await temporary.store.accept(
    aNewApplication({ idempotencyKey: "a", now: Date.parse(newer), suspicion: "flooding" }),
  );
  const rows = async (options: object) => {
    const text = await output(listCommand, [], temporary, { limit: "20", ...options });
    return text.split("\n").filter((line) => line.includes("홍길동"));
  };
  const first =
    /^.{9} +12월 2일\(수\) 오전 1:30 +대기 \(자동 입력 의심\) +이천 +12월 1일\(화\) 평일\/오전 +010-1234-5678 +홍길동$/;
  const both = [first, /12월 1일\(화\) 오전 5:05/].map((row) => expect.stringMatching(row));
  expect(await rows({ limit: "2" })).toEqual(both);
  expect(said).toContain("신청 2건, 가장 오래된 것은 2일째");
  expect(said).not.toContain("--limit");
  expect(await rows({ limit: "1" })).toEqual(both.slice(0, 1));
  expect(said).toContain("최근 1건만 보입니다");
  expect([(await rows({ state: "open" })).length, await rows({ state: "done" })]).toEqual([2, []]);
});

test("show names the last error until the application is resent", async () => {
  await using temporary = newStore();
  await temporary.store.accept(aNewApplication({ route: "mail", now: minutesAgo(80) }));
  await deliverWith(temporary, { mail: NOT_SENT }, minutesAgo(80));
  await deliverWith(temporary, { mail: REJECTED }, minutesAgo(40));
  const shown = await output(showCommand, [APPLICATION_ID], temporary);
  expect(shown).toMatch(
    /마지막 오류 +받는 주소를 확인해 주세요\.\n[\s\S]*거부됨 .* 554 5\.7\.1 no/,
  );
  expect(await output(resendCommand, [APPLICATION_ID], temporary)).toMatch(/남아 있으면 30초/);
  expect(await output(showCommand, [APPLICATION_ID], temporary)).not.toContain("마지막 오류");
  expect(said).toContain("거부됨");
  await deliverWith(temporary, { mail: UNKNOWN }, Date.now());
  const searches = SEARCH_PAUSES_MS.reduce((sum, pause) => sum + pause, 0);
  const [searched, repeated] = [searches, REPEAT_MAIL_AFTER_MS].map((ms) => ms / MINUTE);
  const doubtful = await output(resendCommand, [APPLICATION_ID], temporary);
  expect(doubtful).toMatch(RegExp(`\\(${searched}분까지 .+ ${repeated}분이 지난 뒤 한 번만 더`));
  expect(doubtful).not.toContain("30초");
  await deliverWith(temporary, { mail: DELIVERED }, Date.now() + REPEAT_MAIL_AFTER_MS + MINUTE);
  await expect(output(resendCommand, [APPLICATION_ID], temporary)).rejects.toThrow(
    /이미 전달되었습니다.*--again/,
  );
  expect(await output(resendCommand, [APPLICATION_ID], temporary, { again: true })).toMatch(
    /지금 보냅니다/,
  );
  // The applicant wrote 80 minutes ago, and the resend has waited for less than a minute.
  expect(await output(listCommand, [], temporary)).toContain("가장 오래된 것은 1분째 기다리고");
});

test("list and show report when a person has called about a given-up application", async () => {
  await using temporary = newStore();
  await temporary.store.accept(aNewApplication({ route: "mail", now: minutesAgo(80) }));
  for (const minutes of [80, 40, 5])
    await deliverWith(temporary, { mail: UNKNOWN }, minutesAgo(minutes));
  expect(await output(listCommand, [], temporary)).toMatch(/직접 연락이 필요한 신청이 1건/);
  expect(said).not.toContain("전달을 기다리는 신청이 없습니다.");
  expect(await output(doneCommand, [APPLICATION_ID], temporary)).toBe(
    "7K3M-PQ9X 홍길동(010-1234-5678) 신청을 직접 연락한 것으로 표시했습니다.\n",
  );
  const [, time] = /직접 연락함 \((.+:\d\d)\)/.exec(await output(listCommand, [], temporary)) ?? [];
  expect(said).not.toContain("직접 연락이 필요한");
  expect(await output(showCommand, [APPLICATION_ID], temporary)).toMatch(
    new RegExp(`직접 연락함.*\n끝난 시각 .+\n직접 연락 +${time?.replace(/[()]/g, "\\$&")}\n`),
  );
});

test.for<[what: string, ends: Answers | undefined, rest: RegExp]>([
  ["delivered", { mail: DELIVERED }, /표시했습니다\.\n$/],
  ["on its way", { mail: { outcome: "accepted" } }, /표시했습니다\.\n더 보내지 않습니다\.\n$/],
  ["waiting", undefined, /더 보내지 않습니다\.\n$/],
])("the command done records a call about an application that is %s", async ([, ends, rest]) => {
  await using temporary = newStore();
  await temporary.store.accept(aNewApplication({ route: "mail", now: minutesAgo(80) }));
  if (ends) await deliverWith(temporary, ends, minutesAgo(80));
  const open = { limit: "20", open: true };
  expect(await output(listCommand, [], temporary, open)).toContain("7K3M-PQ9X");
  expect(said).toContain("아직 연락했다고 표시하지 않은 신청 1건(list --open).");
  expect(await output(doneCommand, [APPLICATION_ID], temporary)).toMatch(rest);
  expect(await output(listCommand, [], temporary)).toMatch(/7K3M-PQ9X .* 직접 연락함 \(/);
  expect(said).not.toContain("list --open");
  expect(await output(listCommand, [], temporary, open)).not.toContain("7K3M-PQ9X");
  await deliverWith(temporary, { mail: DELIVERED }, Date.now());
  expect((await temporary.store.find(APPLICATION_ID))?.messages).toHaveLength(ends ? 1 : 0);
  await output(doneCommand, [APPLICATION_ID], temporary);
  expect(said).toMatch(/이미 .+에 직접 연락한 것으로/);
});

test("the command done also closes what was resent after the first call", async () => {
  await using temporary = newStore();
  await temporary.store.accept(aNewApplication({ route: "mail", now: minutesAgo(80) }));
  for (const each of [doneCommand, resendCommand]) await output(each, [APPLICATION_ID], temporary);
  expect(await output(doneCommand, [APPLICATION_ID], temporary)).toMatch(/보내지 않습니다/);
  expect(await temporary.store.find(APPLICATION_ID)).toMatchObject({ state: "closed" });
});

test("list finds the applications of a phone number or a name", async () => {
  await using temporary = openTemporaryStore();
  const [phone, name] = ["+821099998888", "김 철수"];
  for (const changes of [{}, { phone }, { name }])
    await temporary.store.accept(aNewApplication({ application: anApplication(changes) }));
  const found = async (...words: string[]) =>
    (await output(listCommand, words, temporary)).match(/홍길동|김 철수/g);
  expect(await found("010-9999-8888")).toEqual(["홍길동"]);
  expect(await found("김", "철수")).toEqual(["김 철수"]);
  expect(await found("김철수")).toEqual(["김 철수"]);
  expect(await found("길동")).toEqual(["홍길동", "홍길동"]);
  expect(await found("없는이름%")).toBeNull();
  expect(said).toMatch(/보여 드릴 신청이 없습니다\.\n.+ 접수번호는 show 명령에/);
});

const SHOWN_APPLICATION = `접수번호        7K3M-PQ9X
접수 시각       12월 1일(화) 오전 9:30
신청서          연수 신청
이름            홍길동
전화번호        010-1234-5678
성별/나이       여성/32
연수 지역       이천
희망 날짜       12월 1일(화)
요일/시간대     평일/오전
연수 차량       자차
자동 입력 의심  보이지 않는 칸이 채워짐
남기신 말씀
  첫째 줄
  둘째 줄

상태         대기
다음 시도    12월 1일(화) 오전 9:3N
마지막 오류  메일 서버를 확인해 주세요.
보낸 기록
  메일  owner@practice.example  나가지 않음  12월 1일(화) 오전 9:31  no answer
`;

test("show prints each fact of an application once", async () => {
  await using temporary = newStore();
  const now = Date.parse("2026-12-01T09:30:00+09:00");
  const application = { ...aNewApplication().application, message: "첫째 줄\n둘째 줄" };
  const sent = aNewApplication({ route: "mail", now, application, suspicion: "honeypot" });
  await temporary.store.accept(sent);
  await deliverWith(temporary, { mail: NOT_SENT }, now + 60_000);
  const atSomeMinute = (shown: string) => shown.replace(/(다음 시도.+9:3)\d/, "$1N");
  expect(atSomeMinute(await output(showCommand, [APPLICATION_ID], temporary))).toBe(
    SHOWN_APPLICATION,
  );
  await deliverWith(temporary, { sms: DELIVERED }, now + 3_600_000);
  const delivered = await output(showCommand, [APPLICATION_ID], temporary);
  expect(delivered).toMatch(/\n상태 +전달됨 \(문자\)\n끝난 시각 +12월 1일\(화\) 오전 10:30\n/);
  expect(delivered).toMatch(/\n {2}문자 +010-9999-0000 +도착 /);
  expect(delivered).not.toMatch(/다음 시도|다음 확인|다시 보냄/);
  await output(resendCommand, [APPLICATION_ID], temporary, { again: true });
  expect(await output(showCommand, [APPLICATION_ID], temporary)).toMatch(
    /\n상태 +대기\n다음 시도 .+\n다시 보냄 +1번\n보낸 기록/,
  );
});

test("show names the time of the next status check of a sent application", async () => {
  await using temporary = newStore();
  await temporary.store.accept(aNewApplication({ route: "mail" }));
  await deliverWith(temporary, { mail: { outcome: "accepted" } });
  expect(await output(showCommand, [APPLICATION_ID], temporary)).toMatch(/\n다음 확인 .+\n/);
});

test("show leaves out an empty message", async () => {
  await using temporary = newStore();
  const application = { ...aNewApplication().application, message: "" };
  await temporary.store.accept(aNewApplication({ route: "sms", application }));
  const shown = await output(showCommand, [APPLICATION_ID], temporary);
  expect(shown).toMatch(/신청서 +홈$/m);
  expect(shown).not.toMatch(/남기신 말씀|보낸 기록/);
});
