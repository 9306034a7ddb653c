import { expect, test } from "vitest";
import type { Application } from "#lib/application/fields.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { applicationMail } from "#lib/channels/mail/application.ts";
import { digestMail } from "#lib/channels/mail/notices.ts";
import { composeMail } from "#lib/channels/mail/smtp.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { HOSTILE_VALUES } from "#testing/hostile-values.ts";

const ADDRESSES = { from: "차근차근 <site@practice.example>", to: ["owner@practice.example"] };
const composeOf = (changes: Partial<StoredApplication>, occasion = {}) => {
  const application = { ...aStoredApplication({}, "mail"), ...changes };
  return applicationMail({ kind: "application", application, ...occasion }, ADDRESSES);
};
const compose = (changes: Partial<Application> = {}) =>
  composeOf(aStoredApplication(changes, "mail"));

test("the subject names number, region and person", () => {
  expect(compose().subject).toBe("[7K3M-PQ9X] 이천 홍길동 운전연수 신청");
});

test("the text says everything, with the message's line breaks", () => {
  expect(compose({ message: "첫 줄\n둘째 줄" }).text).toBe(
    [
      "접수번호: 7K3M-PQ9X",
      "이름: 홍길동",
      "전화번호: 010-1234-5678",
      "성별/나이: 여성/32",
      "연수 지역: 이천",
      "희망 날짜: 12월 1일(화)",
      "요일/시간대: 평일/오전",
      "연수 차량: 자차",
      "접수 시각: 12월 1일(화) 오전 9:30",
      "",
      "남기신 말씀:",
      "첫 줄\n둘째 줄",
      "",
    ].join("\n"),
  );
});

test("the number and 문자 보내기 are buttons at least 44 px high, apart, and nothing else is a link", () => {
  const { html, text } = compose({ message: "https://evil.kr www.evil.kr", name: "evil.kr" });
  expect(html.match(/<a /g)).toHaveLength(2);
  expect(html).toMatch(/<a href="tel:\+821012345678"[^>]*>010-1234-5678<\/a>/);
  expect(html).toMatch(/<a href="sms:\+821012345678"[^>]*>문자 보내기<\/a>/);
  // Twice 11 px of padding, a line of 24 px, and the border.
  expect(html.match(/margin:8px 8px 2px 0;padding:11px 18px;[^"]*line-height:24px/g)).toHaveLength(
    2,
  );
  expect(html + text).not.toMatch(/evil\.kr/);
});

test("the visitor's message has its heading, and its lines break without a stylesheet", () => {
  const { html } = compose({ message: "첫 줄\n둘째 줄" });
  expect(html).toMatch(/<b>남기신 말씀<\/b><br>첫 줄<br>둘째 줄<\/td>/);
  expect(html).not.toContain("pre-wrap");
});

test("no line of a mail begins with a middle dot", () => {
  const applications = [aStoredApplication({ message: "주차" })];
  const digest = digestMail({ kind: "digest", id: "1", applications }, ADDRESSES);
  for (const { html } of [compose(), digest]) expect(html).not.toMatch(/[^\u00a0]·/);
  expect(digest.text).toContain("홍길동\n010-1234-5678\n여성/32\u00a0· 이천");
});

test("HTML in a name or a message is shown, not run", () => {
  const { html } = compose({ name: "<b>김</b>", message: '<img src=x onerror="alert(1)">' });
  expect(html).toContain("&lt;b&gt;김&lt;/b&gt;");
  expect(html).not.toMatch(/<img|<b>김/);
});

test("the Message-ID is the same every time, one per application, at the sender's host", () => {
  expect(compose().messageId).toBe("<7K3MPQ9X.mail@practice.example>");
  const message = { kind: "application", application: aStoredApplication() } as const;
  const idn = applicationMail(message, { ...ADDRESSES, from: "site@연수.한국" });
  expect(idn.messageId).toMatch(/^<7K3MPQ9X\.mail@xn--[\w.-]+>$/);
});

test("a name with line breaks cannot add a header", async () => {
  const raw = String(
    await composeMail(compose({ name: "김\r\nBcc: other@evil.example\r\n\r\nx" })),
  );
  const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
  expect(head).not.toMatch(/^bcc:/im);
  expect(head).not.toMatch(/^reply-to:/im);
});

test("a name that ends in what was a link leaves no gap in the subject", () => {
  expect(compose({ name: "김 https://" }).subject).toBe("[7K3M-PQ9X] 이천 김 https 운전연수 신청");
});

test("whatever the name is, subject and rows are one clean line each", () => {
  const labels = compose()
    .text.split("\n")
    .slice(0, 9)
    .map((row) => row.split(":")[0]);
  for (const name of Object.values(HOSTILE_VALUES).flat()) {
    const { subject, text } = compose({ name });
    expect(subject).toBe(cleanLine(subject));
    const rows = text.split("\n").slice(0, 9);
    expect(rows.map((row) => row.split(":")[0])).toEqual(labels);
    expect(rows[1]?.trimEnd()).toBe(cleanText(rows[1] ?? ""));
  }
});

test("an emoji and a rare syllable reach the mail as they were written", () => {
  expect(compose({ name: "김샾😀" }).text).toContain("이름: 김샾😀");
});

test("the labels stand first in the subject, and say why in the mail", () => {
  const marked = composeOf({ suspicion: "honeypot", repeats: 1 }, { insteadOf: "sms" });
  expect(marked.subject).toBe(
    "[다시 보냄] [문자 대신] [자동 입력 의심] [7K3M-PQ9X] 이천 홍길동 운전연수 신청",
  );
  // Above the rows: it is read before anybody is called.
  expect(marked.text).toMatch(/^자동 입력 의심: 사람에게 보이지 않는 칸/);
  expect(marked.html).toContain("보이지 않는 칸");
  expect(composeOf({}, { whole: true }).subject).toMatch(/^\[문자 전문\] \[7K3M-PQ9X\] /);
  expect(compose().text).not.toContain("의심");
});

test("a repeat at the owner's wish is another mail", () => {
  expect(composeOf({ repeats: 1 }).messageId).toBe("<7K3MPQ9X-1.mail@practice.example>");
});

test("it says what it has to do with an earlier application", () => {
  const earlierToday = { applicationId: "8ABCDEFG", count: 3 };
  const { text, html } = composeOf({ corrects: "9ABCDEFG", earlierToday });
  for (const sentence of [
    "앞의 신청 9ABC-DEFG를 고친 것",
    "오늘 세 번째 신청, 앞의 것 8ABC-DEFG",
  ]) {
    expect(text).toContain(sentence);
    expect(html).toContain(sentence);
  }
});
