import { simpleParser } from "mailparser";
import { beforeEach, expect, it, vi } from "vitest";
import type { Application } from "#lib/application/fields.ts";
import { cleanText } from "#lib/application/text.ts";
import type { WeeklySummary } from "#lib/channels/channel.ts";
import { composeMailFields, encodeMail } from "#lib/channels/mail/message.ts";
import { isEucKrText } from "#lib/channels/sms/euc-kr.ts";
import { weeklySms } from "#lib/channels/weekly-summary.ts";
import type { ApplicationWithState } from "#lib/storage/queries/applications.ts";
import { aStoredApplication, MAIL_ADDRESSES } from "#testing/fixtures/stored-application.ts";
import { HOSTILE_VALUES } from "#testing/hostile/values.ts";

// In the year after the applications, because a mail that is repeated in January must not change.
beforeEach(() => void vi.setSystemTime("2027-01-02"));

const seoul = (text: string) => Date.parse(`${text}+09:00`);

function tracked(
  changes: Partial<ApplicationWithState> = {},
  fields: Partial<Application> = {},
): ApplicationWithState {
  return {
    ...aStoredApplication(fields),
    submittedAt: seoul("2026-11-18T09:30:00"),
    state: "done",
    channel: "sms",
    finishedAt: seoul("2026-11-18T09:31:00"),
    calledAt: undefined,
    ...changes,
  };
}
const GIVEN_UP = { state: "given-up", channel: undefined, finishedAt: undefined } as const;
const many = (count: number, changes = {}) => Array.from({ length: count }, () => tracked(changes));

const summaryOf = (
  applications: ApplicationWithState[],
  changes: Partial<WeeklySummary> = {},
): WeeklySummary => ({
  from: seoul("2026-11-16T00:00:00"),
  until: seoul("2026-11-23T00:00:00"),
  applications,
  earlierUncalled: [],
  isFirst: false,
  now: seoul("2026-11-23T09:00:00"),
  ...changes,
});
const mailOf = (...week: Parameters<typeof summaryOf>) =>
  composeMailFields({ kind: "weekly", summary: summaryOf(...week) }, MAIL_ADDRESSES);

it("the weekly mail lists each application with its state", () => {
  const waiting = tracked({ state: "open", channel: undefined, finishedAt: undefined });
  const mail = mailOf([tracked(), waiting, tracked(GIVEN_UP, { name: "김놓침" })]);
  const { subject, text, html } = mail;
  expect(subject).toBe("[주간 소식] 지난주 신청 3건 (11월 16일(월) ~ 11월 22일(일))");
  const received = "7K3M-PQ9X\u00a0· 11월 18일(수) 오전 9:30 접수\u00a0· ";
  const wish = "여성/32\u00a0· 이천\u00a0· 12월 1일(화)\u00a0· 평일/오전\u00a0· 자차";
  expect(text.split("\n\n").slice(0, 4)).toEqual([
    "11월 16일(월) ~ 11월 22일(일)\n신청 3건(문자 1, 대기 1, 직접 연락 필요 1). 연락했다고 표시된 신청은 아직 없습니다. 직접 연락이 필요한 신청은 보내 드리지 못했으니 먼저 전화해 주세요.",
    `김놓침 010-1234-5678\n${wish}\n${received}직접 연락 필요`,
    `홍길동 010-1234-5678\n${wish}\n${received}11월 18일(수) 오전 9:31 문자 전달됨`,
    `홍길동 010-1234-5678\n${wish}\n${received}대기`,
  ]);
  expect(text).toContain("보내는 주소(site@practice.example)를");
  // The states of applications that did not arrive are bold.
  expect(html.match(/<br><b>[^<]+<\/b>/g)).toEqual([
    "<br><b>직접 연락 필요</b>",
    "<br><b>대기</b>",
  ]);
  expect(html + text).not.toMatch(/[^\u00a0]·/);
});

it("the weekly mail lists suspicious applications separately", () => {
  const { subject, text } = mailOf([tracked(), tracked({ suspicion: "honeypot" })]);
  expect(subject).toContain("지난주 신청 1건");
  expect(text).toContain("자동 입력이 의심되는 신청");
  const alone = mailOf([tracked({ suspicion: "honeypot" })]).text;
  expect(alone).toMatch(
    /자동 입력이 의심되는 신청만 있었습니다\. 이 메일을 받으셨다면 메일은[\s\S]*자동 입력이 의심되는 신청/,
  );
});

it("the mail of a week without applications says that mail works", () => {
  const { text, attachment, messageId } = mailOf([], { now: seoul("2026-11-24T10:00:00") });
  expect(text).toContain("지난주에는 신청이 없었습니다. 이 메일을 받으셨다면");
  expect(text).toContain("11월 30일(월) 오전 9시");
  expect(attachment).toBeUndefined();
  expect(messageId).toBe("<weekly-2026-11-23.mail@practice.example>");
  const two = mailOf([], { from: seoul("2026-11-09T00:00:00") });
  expect(two.subject + two.text).toMatch(/지난 2주 신청 0건[\s\S]*지난 2주에는 신청이 없었/);
});

it("the weekly mail attaches a table of all applications", () => {
  const mail = mailOf([...many(45, { state: "open" }), ...many(155, { suspicion: "flooding" })]);
  expect(mail.html.match(/href="tel:/g)).toHaveLength(50);
  expect(mail.text).toContain("이 밖의 150건은 첨부한 표에 있습니다.");
  expect(mail.attachment?.content.trimEnd().split("\r\n")).toHaveLength(201);
  expect(mail.attachment?.content).toContain('"문자","일부 보냄"');
});

const NAMES = ["홍길동", "가".repeat(50), "&".repeat(50), "👨‍👩‍👧‍👦".repeat(7)];
it.each(NAMES)("the mail of 600 given-up applications by %j is under 200 KB", async (name) => {
  const fields = { message: "주".repeat(1_000), region: "광주(경기)", name } as const;
  const lost = Array.from({ length: 600 }, () => tracked(GIVEN_UP, fields));
  const mail = mailOf(lost);
  expect(mail.attachment?.content.split('"7K3M-PQ9X"')).toHaveLength(601);
  expect(mail.attachment?.content.split('"010-1234-5678"')).toHaveLength(601);
  const raw = await encodeMail(mail);
  expect(raw.byteLength).toBeLessThan(200_000);
  // RFC 5322 section 2.1.1: a server may refuse a longer line.
  const longest = Math.max(
    ...String(raw)
      .split("\r\n")
      .map((line) => line.length),
  );
  expect(longest).toBeLessThanOrEqual(998);
});

it("the weekly mail names its table for RFC 2231 and for Outlook", async () => {
  const raw = String(await encodeMail(mailOf([tracked()])));
  expect(raw).toContain("filename*=UTF-8''%EC%8B%A0%EC%B2%AD-2026-11-23.csv");
  expect(raw).toContain(
    'Content-Type: text/csv; charset=utf-8; name="applications-2026-11-23.csv"',
  );
  expect(raw).not.toMatch(/name="?=\?|filename\*0/i);
  const { attachments } = await simpleParser(raw);
  expect(attachments.map(({ filename }) => filename)).toEqual(["신청-2026-11-23.csv"]);
});

it("the weekly mail shortens a name to 20 characters", () => {
  const cut = mailOf([tracked({}, { name: "🚗".repeat(50) })]).text;
  expect(cut).toContain(`\n${"🚗".repeat(20)}… 010-1234-5678`);
  const { text, html } = mailOf([tracked({}, { name: "가".repeat(20) })]);
  expect(text).toContain(`\n${"가".repeat(20)} 010`);
  expect(html).toContain(`${"가".repeat(12)}<wbr>${"가".repeat(8)}</b>`);
});

it("the weekly mail shows hostile text as plain text", () => {
  for (const name of Object.values(HOSTILE_VALUES).flat()) {
    const { subject, html, text, attachment } = mailOf([tracked({}, { name })]);
    expect(subject).toBe(cleanText(subject));
    expect(html).not.toMatch(/<(?:img|script|svg|a(?! href="tel:))/i);
    expect(html).toMatch(/<br>여성/);
    expect(text).toContain("010-1234-5678");
    expect(attachment?.content).not.toMatch(/(?:^|,)"\s*[=+\-@＝＋－＠]/m);
  }
});

const TELL = "받지 못하신 신청이 있으면 관리자에게 알려 주세요.";
const MIXED = [...many(3), ...many(2, { channel: "mail" }), ...many(1, { suspicion: "honeypot" })];
const ONE_GIVEN_UP = [...many(1, { state: "open" }), ...many(1, GIVEN_UP)];
const HALF_GIVEN_UP = [...many(600), ...many(600, GIVEN_UP)];
const CLOSED = many(1, { state: "closed", channel: undefined, calledAt: 1 });
const FIRST = { isFirst: true };
it.each<[ApplicationWithState[], Partial<WeeklySummary>, text: string]>([
  [MIXED, {}, `지난주 신청 5건(문자 3, 메일 2). ${TELL}`],
  [ONE_GIVEN_UP, {}, `지난주 신청 2건(문자 1, 직접 연락 필요 1). ${TELL}`],
  [[], {}, `지난주 신청 0건. ${TELL}`],
  [many(5), FIRST, `지난주 신청 5건(문자 5). ${TELL}`],
  [CLOSED, {}, `지난주 신청 1건(직접 연락함 1). ${TELL}`],
  [HALF_GIVEN_UP, {}, `지난주 신청 1200건(문자 600, 직접 연락 필요 600). ${TELL}`],
  [[], FIRST, "오늘부터 신청을 알려 드립니다. 이 문자가 보이면 설정이 맞습니다."],
])("the text message '$2' has one segment", (applications, changes, text) => {
  expect(weeklySms(summaryOf(applications, changes))).toBe(text);
  expect(text.length).toBeLessThanOrEqual(70);
  expect(isEucKrText(text)).toBe(true);
});

const CALLED = { calledAt: seoul("2026-11-20T10:00:00") };

it("the weekly mail lists applicants to be called before those who were called", () => {
  const earlier = tracked({ submittedAt: seoul("2026-11-10T09:30:00") }, { name: "김지난" });
  const week = [
    tracked(CALLED, { name: "이전화" }),
    tracked({}, { name: "박아직" }),
    tracked({ ...GIVEN_UP, ...CALLED, state: "closed" }, { name: "최놓침" }),
  ];
  const { text, attachment } = mailOf(week, { earlierUncalled: [earlier] });
  expect(text.match(/[^\n]*신청 \d건$|^[가-힣]{3}(?= 010)|\S+ 오전 10:00 .*$/gm)).toEqual(
    [
      ...["아직 연락하지 않은 신청 1건", "박아직"],
      ...["그 전 신청 가운데 아직 연락하지 않은 신청 1건", "김지난", "연락하신 신청 2건"],
      ...["이전화", "20일(금) 오전 10:00 직접 연락함", "최놓침", "20일(금) 오전 10:00 직접 연락함"],
    ].map((line) => expect.stringContaining(line)),
  );
  expect(text).toContain("신청 3건(문자 2, 직접 연락함 1).");
  expect(text).not.toContain("표시된 신청은 아직");
  expect(attachment?.content.match(/010-1234-5678/g)).toHaveLength(4);
});

it("the first weekly mail of a new site only says that mail works", () => {
  const { subject, text } = mailOf([], FIRST);
  expect(subject).toBe("[주간 소식] 오늘부터 신청을 알려 드립니다.");
  expect(text).toContain("오늘부터 신청을 알려 드립니다. 이 메일이 보이면 설정이 맞습니다.");
  expect(text).not.toContain("지난주");
});
