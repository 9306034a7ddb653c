import { simpleParser } from "mailparser";
import { describe, expect, it, test } from "vitest";
import type { Application } from "#lib/application/fields.ts";
import { cleanText } from "#lib/application/text.ts";
import { composeMail } from "#lib/channels/mail/smtp.ts";
import { weeklyMail } from "#lib/channels/mail/weekly.ts";
import { isEucKr } from "#lib/channels/sms/euc-kr.ts";
import { summaryText, type WeeklySummary, witnessText } from "#lib/channels/weekly-summary.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { HOSTILE_VALUES } from "#testing/hostile-values.ts";

const ADDRESSES = { from: "site@practice.example", to: ["owner@practice.example"] };
const seoul = (text: string) => Date.parse(`${text}+09:00`);

function followed(
  changes: Partial<FollowedApplication> = {},
  fields: Partial<Application> = {},
): FollowedApplication {
  return {
    ...aStoredApplication(fields),
    submittedAt: seoul("2026-11-18T09:30:00"),
    state: "done",
    carrier: "sms",
    tries: 0,
    nextAt: 0,
    settledAt: seoul("2026-11-18T09:31:00"),
    inDigest: false,
    lastError: undefined,
    lastAdvice: undefined,
    ...changes,
  };
}

function summaryOf(applications: FollowedApplication[], changes: Partial<WeeklySummary> = {}) {
  return {
    id: "2026-11-23",
    from: seoul("2026-11-16T00:00:00"),
    until: seoul("2026-11-23T00:00:00"),
    nextAt: seoul("2026-11-30T09:00:00"),
    applications,
    now: seoul("2026-11-23T09:00:00"),
    ...changes,
  };
}

const textOf = (...[applications, changes]: Parameters<typeof summaryOf>) =>
  weeklyMail(summaryOf(applications, changes), ADDRESSES).text;

describe("the week's summary", () => {
  it("names the week, each application and what became of it", () => {
    expect(textOf([followed(), followed({ state: "open", carrier: undefined })])).toMatch(
      new RegExp(
        [
          "^11월 16일\\(월\\) ~ 11월 22일\\(일\\)",
          "2건 가운데 1건은 보내 드렸습니다. 1건은 아직 보내는 중입니다.",
          "",
          "홍길동 010-1234-5678",
          "여성/32\u00a0· 이천\u00a0· 12월 1일\\(화\\)\u00a0· 평일/오전\u00a0· 자차",
          "7K3M-PQ9X\u00a0· 11월 18일\\(수\\) 오전 9:30 접수\u00a0· 문자로 11월 18일\\(수\\) 오전 9:31 보냄",
          "[^]*아직 보내는 중입니다\n\n",
        ].join("\n"),
      ),
    );
  });

  it("lists first what was given up, and says to call", () => {
    const text = textOf([
      followed(),
      followed({ state: "given-up", carrier: undefined }, { name: "김놓침" }),
    ]);
    expect(text).toContain("1건은 보내지 못했으니 먼저 전화해 주세요.");
    expect(text.indexOf("김놓침")).toBeLessThan(text.indexOf("홍길동"));
  });

  it("says of each what has brought it: an application of the dialog that went by mail says 메일", () => {
    expect(textOf([followed({ carrier: "mail" })])).toContain(
      "메일로 11월 18일(수) 오전 9:31 보냄",
    );
  });

  it("does not call what lies in a file on its way", () => {
    const text = textOf([followed({ state: "filed", carrier: undefined })]);
    expect(text).toContain("1건은 보낼 방법이 설정되지 않아 서버에 보관하고 있습니다.");
    expect(text).not.toContain("보내는 중");
  });

  it("keeps what looks automated apart, and out of the count", () => {
    const summary = summaryOf([followed(), followed({ suspicion: "honeypot" })]);
    const { subject, text } = weeklyMail(summary, ADDRESSES);
    expect(subject).toContain("지난주 신청 1건");
    expect(text).toContain("자동 입력이 의심되는 신청");
  });

  it("covers two weeks after one that was missed, and says so", () => {
    const summary = summaryOf([], { from: seoul("2026-11-09T00:00:00") });
    expect(weeklyMail(summary, ADDRESSES).subject).toContain("지난 2주 신청 0건");
  });
});

describe("the mail", () => {
  it("proves by itself that mail works when nothing came, and names the next Monday", () => {
    const { text, subject, attachment } = weeklyMail(summaryOf([]), ADDRESSES);
    expect(subject).toBe("[주간 소식] 지난주 신청 0건 (11월 16일(월) ~ 11월 22일(일))");
    expect(text).toContain(
      "지난주에는 신청이 없었습니다. 이 메일이 왔으니 메일은 제대로 가고 있습니다.",
    );
    expect(text).toContain("11월 30일(월) 오전 9시");
    expect(attachment).toBeUndefined();
  });

  it("is the same proof where only what looks automated came", () => {
    const text = textOf([followed({ suspicion: "honeypot" })]);
    expect(text).toMatch(/이 메일이 왔으니 메일은 제대로[\s\S]*자동 입력이 의심되는 신청/);
  });

  it("makes what did not arrive stand out", () => {
    const { html } = weeklyMail(
      summaryOf([followed(), followed({ state: "given-up" })]),
      ADDRESSES,
    );
    expect(html.match(/<br><b>[^<]+<\/b>/g)).toEqual([
      "<br><b>보내지 못했습니다. 전화해 주세요</b>",
    ]);
  });

  it("has no line that begins with a middle dot", () => {
    const { html, text } = weeklyMail(summaryOf([followed()]), ADDRESSES);
    expect(html + text).not.toMatch(/[^\u00a0]·/);
  });

  it("names the address to add to the contacts without its name", () => {
    const from = "운전연수 알림 <site@practice.example>";
    const { text } = weeklyMail(summaryOf([followed()]), { ...ADDRESSES, from });
    expect(text).toContain("보내는 주소(site@practice.example)를");
  });

  it("has one id a week, so that a repeat is recognised", () => {
    expect(weeklyMail(summaryOf([]), ADDRESSES).messageId).toBe(
      "<weekly-2026-11-23.mail@practice.example>",
    );
  });

  it("lists the first hundred of 200, and has all of them in the table", () => {
    const mail = weeklyMail(summaryOf(Array.from({ length: 200 }, () => followed())), ADDRESSES);
    expect(mail.html.match(/href="tel:/g)).toHaveLength(100);
    expect(mail.text).toContain("이 밖의 100건은 첨부한 표에 있습니다.");
    expect(mail.attachment?.content.trimEnd().split("\r\n")).toHaveLength(201);
  });

  it.each([
    [100, "done"],
    [200, "given-up"],
    [600, "done"],
    [600, "given-up"],
  ] as const)(
    "names each of %d (%s) with its number, however much was written, and stays under 200 KB",
    async (count, state) => {
      const message = "주차와 차로 변경이 가장 어렵습니다. ".repeat(50).slice(0, 1_000);
      const fields = { message, region: "광주(경기)", carType: "training" } as const;
      for (const name of ["홍길동", "가".repeat(50), "&".repeat(50), "👨‍👩‍👧‍👦".repeat(7)]) {
        const many = Array.from({ length: count }, () =>
          followed({ state, suspicion: "flooding" }, { ...fields, name }),
        );
        const mail = weeklyMail(summaryOf(many), ADDRESSES);
        expect(mail.attachment?.content.split('"7K3M-PQ9X"')).toHaveLength(count + 1);
        expect(mail.attachment?.content.split('"010-1234-5678"')).toHaveLength(count + 1);
        expect((await composeMail(mail)).byteLength).toBeLessThan(200_000);
      }
    },
  );

  it("names its table in the one way of RFC 2231", async () => {
    const raw = String(await composeMail(weeklyMail(summaryOf([followed()]), ADDRESSES)));
    expect(raw).toContain("filename*=UTF-8''%EC%8B%A0%EC%B2%AD-2026-11-23.csv");
    expect(raw).not.toMatch(/name="?=\?|filename\*0/i);
    const { attachments } = await simpleParser(raw);
    expect(attachments.map(({ filename }) => filename)).toEqual(["신청-2026-11-23.csv"]);
  });

  it("cuts no emoji in two", () => {
    const name = "🚗".repeat(50);
    const mail = weeklyMail(summaryOf([followed({}, { name })]), ADDRESSES);
    expect(mail.text).toContain(`\n${"🚗".repeat(20)}… 010-1234-5678`);
  });

  test("whatever was typed is shown, not run, linked or worked out", () => {
    for (const value of Object.values(HOSTILE_VALUES).flat()) {
      const mail = weeklyMail(
        summaryOf([followed({}, { name: value, message: value })]),
        ADDRESSES,
      );
      expect(
        mail.html.match(
          /<(?!\/?(?:html|head|meta|title|body|table|tbody|tr|td|b|br|wbr|a|span)\b|!doctype)/g,
        ),
      ).toBeNull();
      expect(mail.html.match(/<a /g)).toHaveLength(1);
      expect(mail.subject).not.toMatch(/[\r\n]/);
      expect(mail.text).toBe(cleanText(mail.text).concat("\n"));
      for (const cell of mail.attachment?.content.match(/"(?:[^"]|"")*"/g) ?? []) {
        expect(cell).not.toMatch(/^"\s*[=+@\t\r]/);
      }
    }
  });
});

describe("the text message", () => {
  const many = (count: number, changes: Partial<FollowedApplication> = {}) =>
    Array.from({ length: count }, () => followed(changes));
  const lost = { state: "given-up", carrier: undefined } as const;

  it.each([
    [many(2), "지난주 신청 2건을 모두 보냈습니다. 빠진 것이 있으면 알려 주세요."],
    [[], "지난주에는 운전연수 신청이 없었습니다. 문자는 잘 가고 있습니다."],
    [
      [...many(1), ...many(1, lost)],
      "지난주 신청 2건 중 1건을 아직 보내지 못했습니다. 관리자에게 알려 주세요.",
    ],
  ])("says what came, where there is no mail (%#)", (applications, text) => {
    expect(summaryText(summaryOf(applications))).toBe(text);
  });

  it.each([
    [
      [...many(3), ...many(2, { carrier: "mail" }), ...many(1, { suspicion: "honeypot" })],
      "지난주 신청 5건(문자 3, 메일 2). 메일을 못 받으셨으면 스팸함을 봐 주세요.",
    ],
    [
      [...many(1, { state: "open" }), ...many(1, lost)],
      "지난주 신청 2건(문자 1, 못 보냄 1). 메일을 못 받으셨으면 스팸함을 봐 주세요.",
    ],
    [[], "지난주 신청 0건. 메일을 못 받으셨으면 스팸함을 봐 주세요."],
  ])("is a witness of the mail (%#)", (applications, text) => {
    expect(witnessText(summaryOf(applications))).toBe(text);
  });

  it.each([many(600), many(600, lost), [...many(600), ...many(600, lost)], []])(
    "is one, of at most 70 characters, also where it stands in for the mail (%#)",
    (...applications) => {
      const summary = summaryOf(applications, { from: seoul("2026-11-09T00:00:00") });
      const instead = summaryText(summary, "mail");
      expect(instead).toMatch(/^메일을 보내지 못했습니다\. 지난 2주/);
      for (const text of [instead, summaryText(summary), witnessText(summary)]) {
        expect(text.length).toBeLessThanOrEqual(70);
        expect(isEucKr(text)).toBe(true);
      }
    },
  );
});
