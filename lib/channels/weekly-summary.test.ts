import { describe, expect, it, test } from "vitest";
import type { FollowedApplication } from "#lib/application/delivery.ts";
import type { Application } from "#lib/application/fields.ts";
import { cleanText } from "#lib/application/text.ts";
import { composeMail } from "#lib/channels/mail/smtp.ts";
import { weeklyMail } from "#lib/channels/mail/weekly.ts";
import { isEucKr } from "#lib/channels/sms/euc-kr.ts";
import { summaryText, summaryView, type WeeklySummary } from "#lib/channels/weekly-summary.ts";
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
    state: "delivered",
    attempts: 0,
    lastError: undefined,
    lastAdvice: undefined,
    nextAttemptAt: 0,
    leaseUntil: undefined,
    failingSince: undefined,
    transport: "sms",
    settledAt: seoul("2026-11-18T09:31:00"),
    digest: undefined,
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

describe("the week's summary", () => {
  it("names the week, each application and what became of it", () => {
    const view = summaryView(
      summaryOf([followed(), followed({ state: "waiting", transport: undefined })]),
    );
    expect(view.title).toBe("지난주 신청 2건");
    expect(view.period).toBe("11월 16일(월) ~ 11월 22일(일)");
    expect(view.lead).toBe("2건 가운데 1건은 보내 드렸습니다. 1건은 아직 보내는 중입니다.");
    expect(view.entries[0]).toMatchObject({
      number: "7K3M-PQ9X",
      phone: "010-1234-5678",
      tel: "tel:+821012345678",
      received: "11월 18일(수) 오전 9:30",
      fate: "문자로 11월 18일(수) 오전 9:31 보냄",
    });
    expect(view.entries[1]?.fate).toBe("아직 보내는 중입니다");
  });

  it("lists first what was given up", () => {
    const view = summaryView(
      summaryOf([followed(), followed(), followed({ state: "needs-owner" })]),
    );
    expect(view.entries.map(({ arrived }) => arrived)).toEqual([false, true, true]);
  });

  it("says what was given up, and to call", () => {
    const view = summaryView(summaryOf([followed({ state: "needs-owner" })]));
    expect(view.lead).toContain("1건은 보내지 못했으니 먼저 전화해 주세요.");
  });

  it("does not call what lies in a file on its way", () => {
    const { lead } = summaryView(summaryOf([followed({ state: "filed", transport: "file" })]));
    expect(lead).toBe("1건은 보낼 방법이 설정되지 않아 서버에 보관하고 있습니다.");
    expect(lead).not.toContain("보내는 중");
  });

  it("keeps what looks automated apart, and out of the count", () => {
    const view = summaryView(summaryOf([followed(), followed({ suspicion: "honeypot" })]));
    expect(view.title).toBe("지난주 신청 1건");
    expect(view.suspects).toHaveLength(1);
  });

  it("covers two weeks after one that was missed, and says so", () => {
    const from = seoul("2026-11-09T00:00:00");
    expect(summaryView(summaryOf([], { from })).title).toBe("지난 2주 신청 0건");
  });
});

describe("the mail", () => {
  it("proves by itself that mail works when nothing came, and names the next Monday", () => {
    const { text, subject, attachments } = weeklyMail(summaryOf([]), ADDRESSES);
    expect(subject).toBe("[주간 소식] 지난주 신청 0건 (11월 16일(월) ~ 11월 22일(일))");
    expect(text).toContain(
      "지난주에는 신청이 없었습니다. 이 메일이 왔으니 메일은 제대로 가고 있습니다.",
    );
    expect(text).toContain("11월 30일(월) 오전 9시");
    expect(attachments).toBeUndefined();
  });

  it("is the same proof where only what looks automated came", () => {
    const { text } = weeklyMail(summaryOf([followed({ suspicion: "honeypot" })]), ADDRESSES);
    expect(text).toContain("이 메일이 왔으니 메일은 제대로 가고 있습니다.");
    expect(text).toContain("자동 입력이 의심되는 신청");
  });

  it("makes what did not arrive stand out", () => {
    const { html } = weeklyMail(
      summaryOf([followed(), followed({ state: "needs-owner" })]),
      ADDRESSES,
    );
    expect(html.match(/<b style[^>]+>[^<]+<\/b>/g)).toEqual([
      expect.stringContaining(">보내지 못했습니다. 전화해 주세요<"),
    ]);
  });

  it("has no line that begins with a middle dot", () => {
    const { html, text } = weeklyMail(summaryOf([followed()]), ADDRESSES);
    expect(html).toContain("\u00a0· ");
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

  it.each([
    ["홍길동", "delivered"],
    ["가".repeat(20), "needs-owner"],
  ] as const)(
    "lists the first hundred of 200, has the rest in the table, and stays under 200 KB (%s)",
    async (name, state) => {
      const message = "주차와 차로 변경이 가장 어렵습니다. ".repeat(50).slice(0, 1_000);
      const long = { name, message, region: "광주(경기)", carType: "training" } as const;
      const many = Array.from({ length: 200 }, () => followed({ state }, long));
      const mail = weeklyMail(summaryOf(many), ADDRESSES);
      expect(mail.html.match(/href="tel:/g)).toHaveLength(100);
      expect(mail.text).toContain("이 밖의 100건은 첨부한 표에 있습니다.");
      const table = mail.attachments?.[0]?.content ?? "";
      expect(table.trimEnd().split("\r\n")).toHaveLength(201);
      expect(table.split(`"${name}"`)).toHaveLength(201);
      expect((await composeMail(mail)).byteLength).toBeLessThan(200_000);
    },
  );

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
          /<(?!\/?(?:html|head|meta|title|body|table|tbody|tr|td|b|br|a|span)\b|!doctype)/g,
        ),
      ).toBeNull();
      expect(mail.html.match(/<a /g)).toHaveLength(1);
      expect(mail.subject).not.toMatch(/[\r\n]/);
      expect(mail.text).toBe(cleanText(mail.text).concat("\n"));
      for (const cell of mail.attachments?.[0]?.content.match(/"(?:[^"]|"")*"/g) ?? []) {
        expect(cell).not.toMatch(/^"\s*[=+@\t\r]/);
      }
    }
  });
});

describe("the text message", () => {
  it.each([
    [
      [followed(), followed()],
      "지난주 신청 2건을 모두 문자로 보냈습니다. 빠진 것이 있으면 알려 주세요.",
    ],
    [
      [followed({ transport: "mail" })],
      "지난주 신청 1건을 모두 보냈습니다. 빠진 것이 있으면 알려 주세요.",
    ],
    [[], "지난주에는 운전연수 신청이 없었습니다. 문자는 잘 가고 있습니다."],
    [
      [followed(), followed({ state: "needs-owner" })],
      "지난주 신청 2건 중 1건을 아직 보내지 못했습니다. 관리자에게 알려 주세요.",
    ],
  ])("is one, of at most 70 characters (%#)", (applications, text) => {
    expect(summaryText(summaryOf(applications))).toBe(text);
    expect(text.length).toBeLessThanOrEqual(70);
    expect(isEucKr(text)).toBe(true);
  });

  it.each([
    Array.from({ length: 200 }, () => followed()),
    Array.from({ length: 200 }, () => followed({ state: "needs-owner" })),
    [],
  ])("says first that the mail did not go out, in as many characters (%#)", (...applications) => {
    const from = seoul("2026-11-09T00:00:00");
    const text = summaryText(summaryOf(applications, { from }), "mail");
    expect(text).toMatch(/^메일을 보내지 못해 문자로 알립니다\. 지난 2주/);
    expect(text.length).toBeLessThanOrEqual(70);
    expect(isEucKr(text)).toBe(true);
  });
});
