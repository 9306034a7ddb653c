import { beforeEach, expect, test, vi } from "vitest";
import type { Application } from "#lib/application/fields.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { composeMailFields, encodeMail } from "#lib/channels/mail/message.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";
import { aStoredApplication, MAIL_ADDRESSES } from "#testing/fixtures/stored-application.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

// In the year after the applications, because a mail that is repeated in January must not change.
beforeEach(() => void vi.setSystemTime("2027-01-02"));

const composeStored = (changes: Partial<StoredApplication>, occasion = {}) => {
  const application = { ...aStoredApplication({}, "mail"), ...changes };
  return composeMailFields({ kind: "application", application, ...occasion }, MAIL_ADDRESSES);
};
const compose = (changes: Partial<Application> = {}) =>
  composeStored(aStoredApplication(changes, "mail"));

test("the text of a mail contains every field", () => {
  const { subject, text } = compose({ message: "첫 줄\n둘째 줄" });
  expect(subject).toBe("이천 홍길동 운전연수 신청 [7K3M-PQ9X]");
  expect(text).toBe(
    [
      "전화번호: 010-1234-5678",
      "",
      "이름: 홍길동",
      "성별/나이: 여성/32",
      "연수 지역: 이천",
      "희망 날짜: 12월 1일(화)",
      "요일/시간대: 평일/오전",
      "연수 차량: 자차",
      "접수 시각: 12월 1일(화) 오전 9:30",
      "접수번호: 7K3M-PQ9X",
      "",
      "남기신 말씀:",
      "첫 줄\n둘째 줄",
      "",
    ].join("\n"),
  );
});

test("a mail has no links except to call or text the applicant", () => {
  const { html, text } = compose({ message: "https://evil.kr www.evil.kr", name: "evil.kr" });
  expect(html.match(/<a /g)).toHaveLength(2);
  expect(html).toMatch(/<a href="tel:\+821012345678"[^>]*>010-1234-5678<\/a>/);
  expect(html).toMatch(/<\/a> <a href="sms:\+821012345678"[^>]*>문자 보내기<\/a>/);
  // The owner is to call, so the button that calls is filled.
  expect(html).toMatch(/href="tel:[^>]*border:1px solid (#\w+);[^>]*background:\1;/);
  expect(html).toMatch(/href="sms:[^>]*border:1px solid (#\w+);[^>]*color:\1;/);
  // A button is 48 px high: twice 11 px of padding, 24 px of text, and the border.
  const high = /margin:8px 8px 2px 0;padding:11px 18px;[^"]*line-height:24px/g;
  expect(html.match(high)).toHaveLength(2);
  expect(html + text).not.toMatch(/evil\.kr/);
});

test("the visitor's message keeps its line breaks without CSS", () => {
  const { html } = compose({ message: `첫 줄\n둘째 <b>줄</b> ${"👍🏽".repeat(25)}` });
  expect(html).toMatch(/<b>남기신 말씀<\/b><br>첫 줄<br>둘째 &#60;b&#62;줄&#60;\/b&#62; /);
  expect(html).toMatch(/ (👍🏽){12}<wbr>(👍🏽){12}<wbr>👍🏽<\/td>/);
  expect(html).not.toContain("pre-wrap");
});

test("the subject of an alarm is the alarm's first sentence", () => {
  const text = "owner@practice.example에 메일이 전달되지 않습니다. 고쳐 주세요.";
  const alarm = composeMailFields({ kind: "alarm", topic: "", id: "7-1", text }, MAIL_ADDRESSES);
  expect(alarm).toMatchObject({
    subject: "[확인 필요] owner@practice.example에 메일이 전달되지 않습니다",
    text: `${text}\n`,
    messageId: "<alarm-7-1.mail@practice.example>",
  });
});

test("the Message-ID of an application changes when the owner resends it [20]", () => {
  expect(compose().messageId).toBe("<7K3MPQ9X.mail@practice.example>");
  expect(composeStored({ resends: 1 }).messageId).toBe("<7K3MPQ9X-1.mail@practice.example>");
});

test("no name of a visitor breaks the lines of a mail [32]", () => {
  expect(compose({ name: "김 https://" }).subject).toBe("이천 김 https 운전연수 신청 [7K3M-PQ9X]");
  const labelsOf = (text: string) =>
    text
      .split("\n")
      .slice(0, 10)
      .map((row) => row.split(":")[0]);
  const labels = labelsOf(compose().text);
  for (const name of Object.values(HOSTILE_VALUES).flat()) {
    const { subject, text } = compose({ name });
    expect(subject).toBe(cleanLine(subject));
    expect(labelsOf(text)).toEqual(labels);
    const row = text.split("\n")[2] ?? "";
    expect(row.trimEnd()).toBe(cleanText(row));
  }
});

test("a hostile name or message stays text in the HTML of a mail [32]", async () => {
  const tagsOf = (html: string) =>
    (html.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<w?br>$/.test(tag));
  const headersOf = async (mail: ReturnType<typeof compose>) => {
    const [head = ""] = String(await encodeMail(mail)).split("\r\n\r\n");
    expect(head).toMatch(/^[\t\r\n\x20-\x7e]+$/);
    return head.match(/^[\w-]+(?=:)/gm);
  };
  const model = compose({ message: "주차" });
  const [tags, headers] = [tagsOf(model.html), await headersOf(model)];
  const names = Object.values(HOSTILE_VALUES).flat();
  for (const message of [...names, ...HOSTILE_MESSAGES]) {
    const mail = compose({ message, ...(names.includes(message) && { name: message }) });
    expect(tagsOf(mail.html)).toEqual(tags);
    expect(await headersOf(mail)).toEqual(headers);
    expect(mail.subject + mail.text).not.toMatch(/:\/\/|[\p{L}\p{N}_-][.．。｡․]\p{L}/u);
  }
});

test("a mail explains the marks of its subject", () => {
  const earlierToday = { applicationId: "8ABCDEFG", count: 3 };
  const changes = { suspicion: "honeypot", resends: 1, earlierToday } as const;
  const { subject, text, html } = composeStored(changes, { insteadOf: "sms" });
  expect(subject).toBe(
    "[다시 보냄] [문자 대신] [자동 입력 의심] 이천 홍길동 운전연수 신청 [7K3M-PQ9X]",
  );
  const [suspicion, instead, earlier] = text.split("\n\n");
  expect(suspicion).toMatch(/^자동 입력 의심: 사람에게는 보이지 않는 칸이 채워져 있어, /);
  expect(instead).toBe("이 신청은 문자로 보낼 수 없어 메일로 보내 드립니다.");
  expect(earlier).toBe("오늘 세 번째 신청입니다(앞 신청 8ABC-DEFG).");
  for (const note of [suspicion, instead, earlier]) expect(html).toContain(note);
  expect(composeStored({}, { insteadOf: "sms-some" }).text).toMatch(
    /^문자를 받지 못한 번호가 있어/,
  );
  expect(composeStored({}, { insteadOf: "sms-over-cap" }).subject).toMatch(/^\[문자 한도\] /);
  const fullText = composeStored({}, { kind: "full-text" });
  expect(fullText.subject).toMatch(/^\[전체 내용\] 이천 /);
  expect(compose().text).not.toContain("의심");
});
