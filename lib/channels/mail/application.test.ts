import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Application } from "#lib/application/fields.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { mailMessage } from "#lib/channels/mail/application.ts";
import { MAIL_COLOURS } from "#lib/channels/mail/html.ts";
import { digestMail } from "#lib/channels/mail/notices.ts";
import { composeMail } from "#lib/channels/mail/smtp.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { HOSTILE_VALUES } from "#testing/hostile-values.ts";

const ADDRESSES = { from: "차근차근 <site@practice.example>", to: ["owner@practice.example"] };
const compose = (changes: Partial<Application> = {}) =>
  mailMessage(aStoredApplication(changes, "mail"), ADDRESSES);

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

test("a line of a mail breaks between words, and never before a middle dot", () => {
  const applications = [aStoredApplication({ message: "주차" })];
  const digest = digestMail({ kind: "digest", id: "1", applications }, ADDRESSES);
  expect(digest.html).toContain("\u00a0· 주차");
  for (const { html } of [compose(), digest]) {
    expect(html).not.toMatch(/[^\u00a0]·/);
    expect(html).toMatch(/<table[^>]*word-break:keep-all/);
  }
});

test("a tap on the number calls it, one beside it writes a text message, and nothing else is a link", () => {
  const { html, text } = compose({ message: "https://evil.kr www.evil.kr", name: "evil.kr" });
  expect(html.match(/<a /g)).toHaveLength(2);
  expect(html).toContain('<a href="tel:+821012345678"');
  expect(html).toMatch(/<a href="sms:\+821012345678"[^>]*>문자 보내기<\/a>/);
  expect(html + text).not.toMatch(/evil\.kr/);
});

test("HTML in a name or a message is shown, not run", () => {
  const { html } = compose({ name: "<b>김</b>", message: '<img src=x onerror="alert(1)">' });
  expect(html).toContain("&lt;b&gt;김&lt;/b&gt;");
  expect(html).not.toMatch(/<img|<b>/);
});

test("the Message-ID is the same every time, one per application, at the sender's host", () => {
  expect(compose().messageId).toBe("<7K3MPQ9X.mail@practice.example>");
  const idn = mailMessage(aStoredApplication(), { ...ADDRESSES, from: "site@연수.한국" });
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

test("the mail's colours are the site's", () => {
  const theme = readFileSync("tailwind.config.ts", "utf8");
  for (const colour of Object.values(MAIL_COLOURS)) expect(theme).toContain(colour);
});

test("what looks automated is marked in the subject, and the text says why", () => {
  const marked = mailMessage(
    { ...aStoredApplication({}, "mail"), suspicion: "honeypot" },
    ADDRESSES,
  );
  expect(marked.subject).toBe("[7K3M-PQ9X] [자동 입력 의심] 이천 홍길동 운전연수 신청");
  expect(marked.text).toContain("보이지 않는 칸");
  expect(marked.html).toContain("보이지 않는 칸");
  // Above the rows: it is read before anybody is called.
  expect(marked.text).toMatch(/^자동 입력 의심: /);
  expect(compose().text).not.toContain("의심");
});
